// SPDX-License-Identifier: Apache-2.0
/*
 * Reading JSON objects by a table of fields.
 */
#include <errno.h>
#include <limits.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "conf/schema.h"

#define QUOTE_MAX 80 /* a wrong value is shown up to this length */

static void tokener_free_ptr(struct json_tokener **tok)
{
	if (*tok)
		json_tokener_free(*tok);
}

static const char *path_text(const struct rg_path *path)
{
	return path->text[0] ? path->text : "(document)";
}

/* A path that does not fit is cut: it only serves a message. */
struct rg_path rg_path_key(const struct rg_path *path, const char *key)
{
	struct rg_path p;

	(void)rg_str_format(p.text, sizeof(p.text), "%s%s%s", path->text, path->text[0] ? "." : "",
			    key);
	return p;
}

struct rg_path rg_path_index(const struct rg_path *path, size_t index)
{
	struct rg_path p;

	(void)rg_str_format(p.text, sizeof(p.text), "%s[%zu]", path->text, index);
	return p;
}

int rg_schema_fail(struct rg_err *err, const struct rg_path *path, struct json_object *value,
		   const char *want)
{
	const char *text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
	int shown = (int)strnlen(text, QUOTE_MAX);

	return rg_err_set(err, -EINVAL, "%s: %.*s%s is not %s", path_text(path), shown, text,
			  text[shown] ? "..." : "", want);
}

int rg_schema_string(struct json_object *value, const struct rg_path *path, const char *want,
		     const char **ret, struct rg_err *err)
{
	const char *s;

	if (!json_object_is_type(value, json_type_string))
		return rg_schema_fail(err, path, value, want);
	s = json_object_get_string(value);
	if (strlen(s) != (size_t)json_object_get_string_len(value))
		return rg_schema_fail(err, path, value, want);
	*ret = s;
	return 0;
}

int rg_schema_number(struct json_object *value, const struct rg_path *path, int64_t min,
		     int64_t max, const char *want, int64_t *ret, struct rg_err *err)
{
	int64_t v;

	if (!json_object_is_type(value, json_type_int))
		return rg_schema_fail(err, path, value, want);
	v = json_object_get_int64(value);
	if (v < min || v > max)
		return rg_schema_fail(err, path, value, want);
	*ret = v;
	return 0;
}

static int parse_field(struct json_object *value, const struct rg_path *path,
		       const struct rg_field *f, void *dst, struct rg_err *err)
{
	const char *s;
	int64_t v;
	int r;

	switch (f->type) {
	case RG_FIELD_STRING:
		r = rg_schema_string(value, path, f->want, &s, err);
		if (r < 0)
			return r;
		if (rg_str_copy(dst, (size_t)f->max, s) < 0)
			return rg_schema_fail(err, path, value, f->want);
		return 0;
	case RG_FIELD_BOOL:
		if (!json_object_is_type(value, json_type_boolean))
			return rg_schema_fail(err, path, value, "true or false");
		*(bool *)dst = json_object_get_boolean(value);
		return 0;
	case RG_FIELD_U32:
	case RG_FIELD_S32:
		r = rg_schema_number(value, path, f->min, f->max, f->want, &v, err);
		if (r < 0)
			return r;
		if (f->type == RG_FIELD_U32)
			*(uint32_t *)dst = (uint32_t)v;
		else
			*(int32_t *)dst = (int32_t)v;
		return 0;
	case RG_FIELD_CUSTOM:
		return f->parse(value, path, dst, err);
	}
	return rg_err_set(err, -EINVAL, "%s: unknown field type", path_text(path));
}

static const struct rg_field *find_field(const struct rg_field *fields, size_t n, const char *key)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (rg_str_equal(fields[i].key, key))
			return &fields[i];
	return NULL;
}

static int fail_unknown(const struct rg_path *path, const struct rg_field *fields, size_t n,
			struct rg_err *err)
{
	char known[256] = "";
	size_t i, len = 0;

	for (i = 0; i < n; i++) {
		(void)rg_str_format(known + len, sizeof(known) - len, "%s%s", i ? ", " : "",
				    fields[i].key);
		len = strlen(known);
	}
	return rg_err_set(err, -EINVAL, "%s: unknown key; known here are %s", path_text(path),
			  known);
}

static int check_required(struct json_object *value, const struct rg_path *path,
			  const struct rg_field *fields, size_t n_fields, struct rg_err *err)
{
	size_t i;

	for (i = 0; i < n_fields; i++) {
		struct rg_path at = rg_path_key(path, fields[i].key);

		if (fields[i].required && !json_object_object_get(value, fields[i].key))
			return rg_err_set(err, -EINVAL, "%s: missing; give %s", path_text(&at),
					  fields[i].want ? fields[i].want : "a value");
	}
	return 0;
}

static int read_object(struct json_object *value, const struct rg_path *path,
		       const struct rg_field *fields, size_t n_fields, bool strict, void *dst,
		       struct rg_err *err)
{
	struct json_object_iter it;

	if (!json_object_is_type(value, json_type_object))
		return rg_schema_fail(err, path, value, "an object");
	json_object_object_foreachC(value, it)
	{
		const struct rg_field *f = find_field(fields, n_fields, it.key);
		struct rg_path at = rg_path_key(path, it.key);
		int r;

		if (!strict && (!f || !it.val))
			continue;
		if (!f)
			return fail_unknown(&at, fields, n_fields, err);
		if (!it.val)
			return rg_schema_fail(err, &at, it.val, f->want ? f->want : "a value");
		r = parse_field(it.val, &at, f, (char *)dst + f->offset, err);
		if (r < 0)
			return r;
	}
	return check_required(value, path, fields, n_fields, err);
}

int rg_schema_object(struct json_object *value, const struct rg_path *path,
		     const struct rg_field *fields, size_t n_fields, void *dst, struct rg_err *err)
{
	return read_object(value, path, fields, n_fields, true, dst, err);
}

int rg_schema_known(struct json_object *value, const struct rg_path *path,
		    const struct rg_field *fields, size_t n_fields, void *dst, struct rg_err *err)
{
	return read_object(value, path, fields, n_fields, false, dst, err);
}

int rg_schema_array(struct json_object *value, const struct rg_path *path, size_t max,
		    rg_field_parse parse, void *dst, size_t stride, size_t *ret_n,
		    struct rg_err *err)
{
	size_t n, i;

	if (!json_object_is_type(value, json_type_array))
		return rg_schema_fail(err, path, value, "an array");
	n = json_object_array_length(value);
	if (n > max)
		return rg_err_set(err, -EINVAL, "%s: %zu elements; at most %zu are possible",
				  path_text(path), n, max);
	for (i = 0; i < n; i++) {
		struct json_object *e = json_object_array_get_idx(value, i);
		struct rg_path at = rg_path_index(path, i);
		int r;

		if (!e)
			return rg_schema_fail(err, &at, e, "a value");
		r = parse(e, &at, (char *)dst + i * stride, err);
		if (r < 0)
			return r;
	}
	*ret_n = n;
	return 0;
}

int rg_schema_parse_text(const char *text, size_t len, int max_depth, struct json_object **ret,
			 struct rg_err *err)
{
	_cleanup_(tokener_free_ptr) struct json_tokener *tok = json_tokener_new_ex(max_depth);
	enum json_tokener_error code;
	struct json_object *doc;
	size_t end;

	if (!tok)
		return rg_err_errno(err, -ENOMEM, "cannot read JSON");
	if (!len || len > INT_MAX - 1)
		return rg_err_set(err, -EINVAL, len ? "too long to be JSON" : "empty, not JSON");
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	doc = json_tokener_parse_ex(tok, text, (int)len);
	code = json_tokener_get_error(tok);
	end = json_tokener_get_parse_end(tok);
	if (code == json_tokener_continue)
		return rg_err_set(err, -EINVAL, "not whole JSON: ends after %zu bytes", len);
	if (code != json_tokener_success)
		return rg_err_set(err, -EINVAL, "not JSON: %s at byte %zu",
				  json_tokener_error_desc(code), end);
	*ret = doc;
	return 0;
}
