// SPDX-License-Identifier: Apache-2.0
/*
 * Attachment records as JSON: one table of fields serves both directions.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <json-c/json.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/str.h"
#include "state/record.h"

#define MAX_DEPTH 8

enum kind {
	KIND_CHARS, /* char[], @size bytes */
	KIND_TEXT,  /* char *, NULL is left out */
	KIND_S32,
	KIND_U32,
	KIND_S64,
	KIND_U64,
	KIND_BOOL,
	KIND_MAC,
};

#define CHARS(key, member)                                           \
	{                                                            \
		key, KIND_CHARS, offsetof(struct rg_record, member), \
			sizeof(((struct rg_record *)0)->member)      \
	}
#define FIELD(key, kind, member)                                 \
	{                                                        \
		key, kind, offsetof(struct rg_record, member), 0 \
	}

static const struct {
	const char *key;
	enum kind kind;
	size_t offset;
	size_t size;
} fields[] = {
	CHARS("bootId", boot_id),
	FIELD("phase", KIND_S32, phase),
	CHARS("containerId", container_id),
	CHARS("ifname", ifname),
	CHARS("group", group),
	CHARS("network", network),
	FIELD("netns", KIND_TEXT, netns),
	FIELD("netnsDev", KIND_U64, netns_dev),
	FIELD("netnsIno", KIND_U64, netns_ino),
	CHARS("mode", mode),
	CHARS("rail", rail),
	FIELD("railNumber", KIND_S32, rail_number),
	CHARS("podNamespace", pod_namespace),
	CHARS("podName", pod_name),
	CHARS("podUid", pod_uid),
	FIELD("slot", KIND_U32, slot),
	FIELD("hasSlot", KIND_BOOL, has_slot),
	FIELD("mac", KIND_MAC, mac),
	CHARS("tempName", temp_name),
	FIELD("ifindex", KIND_S32, ifindex),
	CHARS("rdmaDevice", rdma_device),
	FIELD("gidIndex", KIND_S32, gid_index),
	FIELD("createdSeconds", KIND_S64, created_s),
	FIELD("config", KIND_TEXT, config),
	FIELD("cniArgs", KIND_TEXT, cni_args),
	FIELD("cniPath", KIND_TEXT, cni_path),
	FIELD("restore", KIND_TEXT, restore),
};

static void put_json_ptr(struct json_object **o)
{
	json_object_put(*o);
}

#define _cleanup_json_ _cleanup_(put_json_ptr)

struct rg_record *rg_record_new(void)
{
	struct rg_record *record = calloc(1, sizeof(*record));

	if (record)
		record->gid_index = -1;
	return record;
}

void rg_record_free(struct rg_record *record)
{
	if (!record)
		return;
	free(record->netns);
	free(record->config);
	free(record->cni_args);
	free(record->cni_path);
	free(record->restore);
	free(record);
}

static struct json_object *field_value(const struct rg_record *record, size_t i)
{
	const char *at = (const char *)record + fields[i].offset;
	char mac[RG_MAC_STR_LEN];

	switch (fields[i].kind) {
	case KIND_CHARS:
		return json_object_new_string(at);
	case KIND_TEXT:
		return json_object_new_string(*(char *const *)at);
	case KIND_S32:
		return json_object_new_int(*(const int32_t *)at);
	case KIND_U32:
		return json_object_new_int64(*(const uint32_t *)at);
	case KIND_S64:
		return json_object_new_int64(*(const int64_t *)at);
	case KIND_U64:
		return json_object_new_uint64(*(const uint64_t *)at);
	case KIND_BOOL:
		return json_object_new_boolean(*(const bool *)at);
	case KIND_MAC:
		return json_object_new_string(rg_mac_format((const uint8_t *)at, mac));
	}
	return NULL;
}

/* Takes @value over, also when it fails. */
static int add(struct json_object *doc, const char *key, struct json_object *value)
{
	if (!value)
		return -ENOMEM;
	if (json_object_object_add(doc, key, value) < 0) {
		json_object_put(value);
		return -ENOMEM;
	}
	return 0;
}

static int add_addrs(struct json_object *doc, const struct rg_record *record)
{
	struct json_object *list = json_object_new_array();
	int r = add(doc, "addresses", list);

	for (size_t i = 0; i < record->n_addrs && r == 0; i++) {
		char text[RG_CIDR_STR_LEN];
		struct json_object *s = json_object_new_string(
			rg_cidr_format(&record->addrs[i], text));

		if (!s || json_object_array_add(list, s) < 0) {
			json_object_put(s);
			r = -ENOMEM;
		}
	}
	return r;
}

int rg_record_format(const struct rg_record *record, char **ret, size_t *ret_len)
{
	_cleanup_json_ struct json_object *doc = json_object_new_object();
	const char *text;
	char *copy;
	int r = doc ? add(doc, "schema", json_object_new_int(RG_RECORD_SCHEMA)) : -ENOMEM;

	for (size_t i = 0; i < ARRAY_SIZE(fields) && r == 0; i++) {
		const char *at = (const char *)record + fields[i].offset;

		if (fields[i].kind != KIND_TEXT || *(char *const *)at)
			r = add(doc, fields[i].key, field_value(record, i));
	}
	r = r ? r : add_addrs(doc, record);
	if (r < 0)
		return r;
	text = json_object_to_json_string_length(
		doc, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE, ret_len);
	copy = text ? strdup(text) : NULL;
	if (!copy)
		return -ENOMEM;
	*ret = copy;
	return 0;
}

static int parse_number(struct json_object *value, int64_t min, int64_t max, int64_t *ret)
{
	int64_t v;

	if (!json_object_is_type(value, json_type_int))
		return -EBADMSG;
	v = json_object_get_int64(value);
	if (v < min || v > max)
		return -EBADMSG;
	*ret = v;
	return 0;
}

static int parse_string(struct json_object *value, size_t i, char *at)
{
	const char *s = json_object_get_string(value);

	if (!json_object_is_type(value, json_type_string) ||
	    strlen(s) != (size_t)json_object_get_string_len(value))
		return -EBADMSG;
	if (fields[i].kind == KIND_CHARS)
		return rg_str_copy(at, fields[i].size, s) < 0 ? -EBADMSG : 0;
	if (fields[i].kind == KIND_MAC)
		return rg_mac_parse(s, (uint8_t *)at) < 0 ? -EBADMSG : 0;
	free(*(char **)at);
	*(char **)at = strdup(s);
	return *(char **)at ? 0 : -ENOMEM;
}

static int parse_field(struct json_object *value, size_t i, struct rg_record *record)
{
	char *at = (char *)record + fields[i].offset;
	int64_t v = 0;
	int r = 0;

	switch (fields[i].kind) {
	case KIND_CHARS:
	case KIND_TEXT:
	case KIND_MAC:
		return parse_string(value, i, at);
	case KIND_S32:
		r = parse_number(value, INT32_MIN, INT32_MAX, &v);
		*(int32_t *)at = (int32_t)v;
		return r;
	case KIND_U32:
		r = parse_number(value, 0, UINT32_MAX, &v);
		*(uint32_t *)at = (uint32_t)v;
		return r;
	case KIND_S64:
		return parse_number(value, INT64_MIN, INT64_MAX, (int64_t *)at);
	case KIND_U64:
		if (!json_object_is_type(value, json_type_int))
			return -EBADMSG;
		*(uint64_t *)at = json_object_get_uint64(value);
		return 0;
	case KIND_BOOL:
		if (!json_object_is_type(value, json_type_boolean))
			return -EBADMSG;
		*(bool *)at = json_object_get_boolean(value);
		return 0;
	}
	return r;
}

static int parse_addrs(struct json_object *list, struct rg_record *record)
{
	size_t n;

	if (!list)
		return 0;
	if (!json_object_is_type(list, json_type_array))
		return -EBADMSG;
	n = json_object_array_length(list);
	if (n > RG_RECORD_MAX_ADDRS)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		struct json_object *value = json_object_array_get_idx(list, i);

		if (!json_object_is_type(value, json_type_string) ||
		    rg_cidr_parse(json_object_get_string(value), &record->addrs[i]) < 0)
			return -EBADMSG;
	}
	record->n_addrs = n;
	return 0;
}

static int parse_schema(struct json_object *doc, struct rg_err *err)
{
	struct json_object *value;
	int64_t schema;

	if (!json_object_is_type(doc, json_type_object) ||
	    !json_object_object_get_ex(doc, "schema", &value) ||
	    parse_number(value, 1, INT32_MAX, &schema) < 0)
		return rg_err_set(err, -EBADMSG, "not an attachment record");
	if (schema > RG_RECORD_SCHEMA)
		return rg_err_set(err, -EPROTO,
				  "attachment record of schema %lld, this version knows up to %d; "
				  "a newer railgate wrote it",
				  (long long)schema, RG_RECORD_SCHEMA);
	return 0;
}

static struct json_object *parse_text(const char *text, size_t len)
{
	struct json_tokener *tok = json_tokener_new_ex(MAX_DEPTH);
	struct json_object *doc = NULL;

	if (tok && len <= INT_MAX) {
		/* one more byte, the NUL, tells the tokener that there is no more */
		doc = json_tokener_parse_ex(tok, text, (int)len);
		if (json_tokener_get_error(tok) != json_tokener_success) {
			json_object_put(doc);
			doc = NULL;
		}
	}
	if (tok)
		json_tokener_free(tok);
	return doc;
}

int rg_record_parse(const char *text, size_t len, struct rg_record **ret, struct rg_err *err)
{
	_cleanup_json_ struct json_object *doc = parse_text(text, len);
	_cleanup_record_ struct rg_record *record = rg_record_new();
	struct json_object *value;
	int r;

	if (!record)
		return rg_err_set(err, -ENOMEM, "out of memory");
	r = parse_schema(doc, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (!json_object_object_get_ex(doc, fields[i].key, &value))
			continue;
		r = parse_field(value, i, record);
		if (r < 0)
			return rg_err_set(err, r, "attachment record: \"%s\" is damaged",
					  fields[i].key);
	}
	(void)json_object_object_get_ex(doc, "addresses", &value);
	r = parse_addrs(value, record);
	if (r < 0)
		return rg_err_set(err, r, "attachment record: \"addresses\" is damaged");
	*ret = TAKE_PTR(record);
	return 0;
}

int rg_record_boot_id(char buf[RG_RECORD_BOOT_SIZE])
{
	return rg_fs_read_line(AT_FDCWD, "/proc/sys/kernel/random/boot_id", buf,
			       RG_RECORD_BOOT_SIZE);
}
