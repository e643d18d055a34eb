// SPDX-License-Identifier: Apache-2.0
/*
 * Text or JSON from the same calls. The only file of the tool that knows json-c.
 */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "out.h"
#include "table.h"

#define MAX_DEPTH 8

/*
 * @stack: JSON containers that are open, the document first; NULL in text mode
 * @depth: number of them
 * @lines: each record is a document of its own
 * @in_list: a table is being collected
 * @printed: a table or text came before, so that a heading needs a blank line
 */
struct rg_out {
	FILE *stream;
	bool json;
	bool lines;
	bool in_list;
	bool printed;
	int failed;
	struct json_object *stack[MAX_DEPTH];
	size_t depth;
	struct rg_table table;
	const char *heading;
	const char *array_column;
	char *array_text;
};

static void fail(struct rg_out *out, int code)
{
	if (!out->failed)
		out->failed = code;
}

struct rg_out *rg_out_open(FILE *stream, bool json)
{
	struct rg_out *out = calloc(1, sizeof(*out));

	if (!out)
		return NULL;
	out->stream = stream;
	out->json = json;
	if (!json)
		return out;
	out->stack[0] = json_object_new_object();
	if (!out->stack[0]) {
		free(out);
		return NULL;
	}
	out->depth = 1;
	return out;
}

void rg_out_lines(struct rg_out *out)
{
	out->lines = true;
}

void rg_out_discard(struct rg_out *out)
{
	json_object_put(out->stack[0]);
	out->stack[0] = NULL;
	out->depth = 0;
	rg_table_done(&out->table);
}

bool rg_out_is_json(const struct rg_out *out)
{
	return out->json;
}

int rg_out_failed(const struct rg_out *out)
{
	return out->failed;
}

static void print_json(struct rg_out *out, struct json_object *o, int flags)
{
	const char *s = json_object_to_json_string_ext(o, flags | JSON_C_TO_STRING_NOSLASHESCAPE);

	if (!s) {
		fail(out, -ENOMEM);
		return;
	}
	(void)fputs(s, out->stream);
	(void)fputc('\n', out->stream);
}

void rg_out_flush(struct rg_out *out)
{
	errno = 0;
	if (fflush(out->stream) != 0 || ferror(out->stream))
		fail(out, errno ? -errno : -EIO);
}

int rg_out_close(struct rg_out *out)
{
	int r;

	if (!out)
		return 0;
	if (out->json && !out->lines && out->stack[0])
		print_json(out, out->stack[0], JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
	rg_out_flush(out);
	json_object_put(out->stack[0]);
	rg_table_done(&out->table);
	free(out->array_text);
	r = out->failed;
	free(out);
	return r;
}

/* Put a value into the innermost container, which owns it from now on. */
static void add(struct rg_out *out, const char *key, struct json_object *value)
{
	struct json_object *top = out->depth ? out->stack[out->depth - 1] : NULL;
	int r;

	if (!top) {
		json_object_put(value);
		return;
	}
	if (json_object_is_type(top, json_type_array))
		r = json_object_array_add(top, value);
	else
		r = json_object_object_add(top, key, value);
	if (r < 0) {
		json_object_put(value);
		fail(out, -ENOMEM);
	}
}

static void push(struct rg_out *out, const char *key, struct json_object *container)
{
	if (!container || !out->depth || out->depth == MAX_DEPTH) {
		json_object_put(container);
		fail(out, container ? -E2BIG : -ENOMEM);
		return;
	}
	add(out, key, container);
	out->stack[out->depth++] = container;
}

static void pop(struct rg_out *out)
{
	if (out->depth > 1)
		out->depth--;
}

void rg_out_list(struct rg_out *out, const char *key, const char *heading)
{
	if (out->json) {
		push(out, key, json_object_new_array());
		return;
	}
	out->heading = heading;
	out->in_list = true;
}

void rg_out_list_end(struct rg_out *out, const char *empty)
{
	if (out->json) {
		pop(out);
		return;
	}
	if (out->heading && (out->table.n_rows || empty))
		(void)fprintf(out->stream, "%s%s\n", out->printed ? "\n" : "", out->heading);
	if (out->table.n_rows)
		rg_table_print(&out->table, out->stream);
	else if (empty)
		(void)fprintf(out->stream, "%s\n", empty);
	out->printed = true;
	rg_table_done(&out->table);
	out->in_list = false;
}

void rg_out_record(struct rg_out *out)
{
	int r;

	if (out->json) {
		if (out->lines) {
			json_object_put(out->stack[0]);
			out->stack[0] = json_object_new_object();
			out->depth = out->stack[0] ? 1 : 0;
			return;
		}
		push(out, NULL, json_object_new_object());
		return;
	}
	if (!out->in_list)
		return;
	r = rg_table_row(&out->table);
	if (r < 0)
		fail(out, r);
}

void rg_out_record_end(struct rg_out *out)
{
	if (!out->json)
		return;
	if (!out->lines) {
		pop(out);
		return;
	}
	if (out->stack[0])
		print_json(out, out->stack[0], JSON_C_TO_STRING_PLAIN);
	rg_out_flush(out);
}

void rg_out_object(struct rg_out *out, const char *key)
{
	if (out->json)
		push(out, key, json_object_new_object());
}

void rg_out_object_end(struct rg_out *out)
{
	if (out->json)
		pop(out);
}

static void cell(struct rg_out *out, const char *column, bool number, const char *text)
{
	int r;

	if (!column || !out->in_list)
		return;
	r = rg_table_set(&out->table, column, number, text);
	if (r < 0)
		fail(out, r);
}

void rg_out_str(struct rg_out *out, const char *key, const char *column, const char *value)
{
	bool given = value && *value;

	if (out->json)
		add(out, key, given ? json_object_new_string(value) : NULL);
	else
		cell(out, column, false, given ? value : "-");
}

void rg_out_u64(struct rg_out *out, const char *key, const char *column, uint64_t value,
		const char *text)
{
	char digits[24];

	if (out->json) {
		add(out, key, json_object_new_uint64(value));
		return;
	}
	(void)rg_str_format(digits, sizeof(digits), "%llu", (unsigned long long)value);
	cell(out, column, true, text ? text : digits);
}

void rg_out_double(struct rg_out *out, const char *key, const char *column, double value,
		   const char *text)
{
	char digits[32];

	if (!out->json) {
		cell(out, column, true, text);
		return;
	}
	(void)rg_str_format(digits, sizeof(digits), "%.3f", value);
	add(out, key, json_object_new_double_s(value, digits));
}

void rg_out_bool(struct rg_out *out, const char *key, const char *column, bool value)
{
	if (out->json)
		add(out, key, json_object_new_boolean(value));
	else
		cell(out, column, false, value ? "yes" : "no");
}

void rg_out_absent(struct rg_out *out, const char *key, const char *column)
{
	rg_out_str(out, key, column, NULL);
}

void rg_out_array(struct rg_out *out, const char *key, const char *column)
{
	if (out->json)
		push(out, key, json_object_new_array());
	else
		out->array_column = column;
}

void rg_out_item(struct rg_out *out, const char *value)
{
	char *joined;

	if (out->json) {
		add(out, NULL, json_object_new_string(value));
		return;
	}
	if (asprintf(&joined, "%s%s%s", out->array_text ? out->array_text : "",
		     out->array_text ? "," : "", value) < 0) {
		fail(out, -ENOMEM);
		return;
	}
	free(out->array_text);
	out->array_text = joined;
}

void rg_out_item_u64(struct rg_out *out, uint64_t value)
{
	char digits[24];

	if (out->json) {
		add(out, NULL, json_object_new_uint64(value));
		return;
	}
	(void)rg_str_format(digits, sizeof(digits), "%llu", (unsigned long long)value);
	rg_out_item(out, digits);
}

void rg_out_array_end(struct rg_out *out)
{
	if (out->json) {
		pop(out);
		return;
	}
	cell(out, out->array_column, false, out->array_text ? out->array_text : "-");
	free(TAKE_PTR(out->array_text));
}

void rg_out_text(struct rg_out *out, const char *fmt, ...)
{
	va_list ap;

	if (out->json)
		return;
	va_start(ap, fmt);
	(void)vfprintf(out->stream, fmt, ap);
	va_end(ap);
	out->printed = true;
}
