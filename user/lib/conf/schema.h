/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading JSON objects by a table of fields: types, ranges and unknown keys are checked in one
 * place, and every error names the path, the value and what would be right.
 */
#ifndef RG_CONF_SCHEMA_H
#define RG_CONF_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;
struct rg_err;

#define RG_PATH_SIZE 128

/**
 * struct rg_path - where in the document a value stands, such as rails[0].match.pci
 * @text: path, empty for the document itself
 */
struct rg_path {
	char text[RG_PATH_SIZE];
};

enum rg_field_type {
	RG_FIELD_STRING, /* char[], @max is its size with the NUL */
	RG_FIELD_BOOL,	 /* bool */
	RG_FIELD_U32,	 /* uint32_t within @min and @max */
	RG_FIELD_S32,	 /* int32_t within @min and @max */
	RG_FIELD_CUSTOM, /* whatever @parse makes of it */
};

/**
 * typedef rg_field_parse - read a value that the plain types do not cover
 * @value: value, never NULL
 * @path: where it stands
 * @dst: what rg_field.offset points to
 * @err: sentence
 *
 * Return: 0 or -errno
 */
typedef int (*rg_field_parse)(struct json_object *value, const struct rg_path *path, void *dst,
			      struct rg_err *err);

/**
 * struct rg_field - one key of an object
 * @key: name
 * @type: how to read it
 * @required: whether it must be there
 * @offset: of the destination within the structure
 * @min: least value (numbers)
 * @max: greatest value (numbers), bytes of the destination (strings)
 * @parse: for RG_FIELD_CUSTOM
 * @want: what would be right, for messages ("an MTU of 68 to 65535 bytes")
 */
struct rg_field {
	const char *key;
	enum rg_field_type type;
	bool required;
	size_t offset;
	int64_t min;
	int64_t max;
	rg_field_parse parse;
	const char *want;
};

/**
 * rg_schema_object() - read an object
 * @value: value that must be an object
 * @path: where it stands
 * @fields: its keys
 * @n_fields: number of @fields
 * @dst: structure that the fields' offsets refer to; fields that are not given stay as they are
 * @err: sentence
 *
 * Return: 0 or -EINVAL
 */
int rg_schema_object(struct json_object *value, const struct rg_path *path,
		     const struct rg_field *fields, size_t n_fields, void *dst, struct rg_err *err);

/**
 * rg_schema_known() - read the keys of an object that are known, and leave the others alone
 * @value: value that must be an object
 * @path: where it stands
 * @fields: its keys
 * @n_fields: number of @fields
 * @dst: structure that the fields' offsets refer to
 * @err: sentence
 *
 * For documents that others write and extend, such as a CNI network configuration. A key whose
 * value is null counts as not given.
 *
 * Return: 0 or -EINVAL
 */
int rg_schema_known(struct json_object *value, const struct rg_path *path,
		    const struct rg_field *fields, size_t n_fields, void *dst, struct rg_err *err);

/**
 * rg_schema_array() - read an array, element by element
 * @value: value that must be an array
 * @path: where it stands
 * @max: most elements allowed
 * @parse: called for each with @dst + index * @stride
 * @dst: first element's destination
 * @stride: bytes from one destination to the next
 * @ret_n: number of elements
 * @err: sentence
 *
 * Return: 0 or -EINVAL
 */
int rg_schema_array(struct json_object *value, const struct rg_path *path, size_t max,
		    rg_field_parse parse, void *dst, size_t stride, size_t *ret_n,
		    struct rg_err *err);

/**
 * rg_schema_string() - the text of a string value
 * @value: value that must be a string without NUL bytes
 * @path: where it stands
 * @want: what would be right
 * @ret: text, valid as long as @value
 * @err: sentence
 *
 * Return: 0 or -EINVAL
 */
int rg_schema_string(struct json_object *value, const struct rg_path *path, const char *want,
		     const char **ret, struct rg_err *err);

/**
 * rg_schema_number() - a whole number within a range
 * @value: value that must be a whole number
 * @path: where it stands
 * @min: least value
 * @max: greatest value
 * @want: what would be right
 * @ret: value
 * @err: sentence
 *
 * Return: 0 or -EINVAL
 */
int rg_schema_number(struct json_object *value, const struct rg_path *path, int64_t min,
		     int64_t max, const char *want, int64_t *ret, struct rg_err *err);

/**
 * rg_schema_fail() - say that a value is wrong
 * @err: sentence
 * @path: where the value stands
 * @value: value, quoted in the sentence and shortened
 * @want: what would be right
 *
 * Return: -EINVAL
 */
int rg_schema_fail(struct rg_err *err, const struct rg_path *path, struct json_object *value,
		   const char *want);

/**
 * rg_path_key() - path of a member
 * @path: object's path
 * @key: member's name
 *
 * Return: path
 */
struct rg_path rg_path_key(const struct rg_path *path, const char *key);

/**
 * rg_path_index() - path of an element
 * @path: array's path
 * @index: element's position
 *
 * Return: path
 */
struct rg_path rg_path_index(const struct rg_path *path, size_t index);

/**
 * rg_schema_parse_text() - read a document, the whole of it and nothing behind it
 * @text: JSON
 * @len: bytes at @text
 * @max_depth: deepest nesting accepted
 * @ret: document; the caller puts it with json_object_put()
 * @err: sentence with the byte at which the text is wrong
 *
 * Return: 0, -EINVAL, or -ENOMEM
 */
int rg_schema_parse_text(const char *text, size_t len, int max_depth, struct json_object **ret,
			 struct rg_err *err);

#endif /* RG_CONF_SCHEMA_H */
