// SPDX-License-Identifier: Apache-2.0
/*
 * The tool's output: columns line up, JSON keys and raw numbers stay, names cannot steer a
 * terminal, and numbers read well at their edges.
 */
#define _GNU_SOURCE /* open_memstream */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#include "../../user/ctl/out.h"
#include "../../user/ctl/units.h"

struct capture {
	char *text;
	size_t len;
	FILE *stream;
	struct rg_out *out;
};

static void begin(struct capture *c, bool json)
{
	memset(c, 0, sizeof(*c));
	c->stream = open_memstream(&c->text, &c->len);
	assert_non_null(c->stream);
	c->out = rg_out_open(c->stream, json);
	assert_non_null(c->out);
}

static void end(struct capture *c)
{
	assert_int_equal(rg_out_close(c->out), 0);
	(void)fclose(c->stream);
}

static void say(struct rg_out *out)
{
	rg_out_u64(out, "answer", NULL, 42, NULL);
	rg_out_list(out, "rows", "Heading");
	rg_out_record(out);
	rg_out_str(out, "name", "NAME", "a\x1b[31mb");
	rg_out_absent(out, "bytes", "BYTES");
	rg_out_object(out, "tx");
	rg_out_u64(out, "packets", "PKT", 7, "seven");
	rg_out_object_end(out);
	rg_out_record_end(out);
	rg_out_record(out);
	rg_out_str(out, "name", "NAME", "longer");
	rg_out_u64(out, "bytes", "BYTES", UINT64_MAX, NULL);
	rg_out_array(out, "list", "LIST");
	rg_out_item(out, "x");
	rg_out_item_u64(out, 9);
	rg_out_array_end(out);
	rg_out_bool(out, "ok", NULL, true);
	rg_out_double(out, "rate", NULL, 1.5, "");
	rg_out_record_end(out);
	rg_out_list_end(out, "nothing");
	rg_out_text(out, "tail\n");
}

static void text_is_aligned(void **state)
{
	struct capture c;

	(void)state;
	begin(&c, false);
	say(c.out);
	end(&c);
	assert_string_equal(c.text, "Heading\n"
				    "NAME                    BYTES    PKT  LIST\n"
				    "a?[31mb                     -  seven  -\n"
				    "longer   18446744073709551615      -  x,9\n"
				    "tail\n");
	free(c.text);
}

static const char *string_at(struct json_object *o, const char *key)
{
	return json_object_get_string(json_object_object_get(o, key));
}

static void json_keeps_raw_values(void **state)
{
	struct json_object *doc, *rows, *row;
	struct capture c;

	(void)state;
	begin(&c, true);
	say(c.out);
	end(&c);
	doc = json_tokener_parse(c.text);
	assert_non_null(doc);
	assert_int_equal(json_object_get_int(json_object_object_get(doc, "answer")), 42);
	rows = json_object_object_get(doc, "rows");
	assert_int_equal(json_object_array_length(rows), 2);
	row = json_object_array_get_idx(rows, 0);
	assert_string_equal(string_at(row, "name"), "a\x1b[31mb");
	assert_true(json_object_object_get_ex(row, "bytes", NULL));
	assert_null(json_object_object_get(row, "bytes"));
	assert_int_equal(json_object_get_int(json_object_object_get(
				 json_object_object_get(row, "tx"), "packets")),
			 7);
	row = json_object_array_get_idx(rows, 1);
	assert_true(json_object_get_uint64(json_object_object_get(row, "bytes")) == UINT64_MAX);
	assert_string_equal(string_at(row, "list"), "[ \"x\", 9 ]");
	assert_string_equal(string_at(row, "rate"), "1.500");
	assert_null(strstr(c.text, "tail"));
	json_object_put(doc);
	free(c.text);
}

static void empty_lists(void **state)
{
	struct capture c;

	(void)state;
	begin(&c, false);
	rg_out_list(c.out, "rows", "Heading");
	rg_out_list_end(c.out, "nothing");
	rg_out_list(c.out, "more", "Not shown");
	rg_out_list_end(c.out, NULL);
	end(&c);
	assert_string_equal(c.text, "Heading\nnothing\n");
	free(c.text);
}

static void lines_are_documents(void **state)
{
	struct capture c;

	(void)state;
	begin(&c, true);
	rg_out_lines(c.out);
	rg_out_record(c.out);
	rg_out_u64(c.out, "n", NULL, 1, NULL);
	rg_out_record_end(c.out);
	rg_out_record(c.out);
	rg_out_str(c.out, "s", NULL, "a/b");
	rg_out_record_end(c.out);
	end(&c);
	assert_string_equal(c.text, "{\"n\":1}\n{\"s\":\"a/b\"}\n");
	free(c.text);
}

static void discarded_is_not_printed(void **state)
{
	struct capture c;

	(void)state;
	begin(&c, true);
	rg_out_u64(c.out, "n", NULL, 1, NULL);
	rg_out_discard(c.out);
	end(&c);
	assert_int_equal(c.len, 0);
	free(c.text);
}

static void full_disk_is_reported(void **state)
{
	_cleanup_fclose_ FILE *full = fopen("/dev/full", "we");
	struct rg_out *out;

	(void)state;
	assert_non_null(full);
	out = rg_out_open(full, false);
	rg_out_text(out, "something\n");
	assert_int_equal(rg_out_close(out), -ENOSPC);
}

static void rates_and_amounts(void **state)
{
	char b[RG_UNIT_SIZE];

	(void)state;
	assert_string_equal(rg_unit_bits(0, b), "0 bit/s");
	assert_string_equal(rg_unit_bits(12.5e9, b), "100 Gbit/s");
	assert_string_equal(rg_unit_bits(124.9, b), "999 bit/s");
	assert_string_equal(rg_unit_bits(124.99, b), "1.00 kbit/s");
	assert_string_equal(rg_unit_bits(1187500, b), "9.50 Mbit/s");
	assert_string_equal(rg_unit_rate(1234567, b), "1.23 M/s");
	assert_string_equal(rg_unit_rate(0.5, b), "0.50 /s");
	assert_string_equal(rg_unit_bytes(0, b), "0 B");
	assert_string_equal(rg_unit_bytes(1023, b), "1023 B");
	assert_string_equal(rg_unit_bytes(1024, b), "1.00 KiB");
	assert_string_equal(rg_unit_bytes(1048575, b), "1.00 MiB");
	assert_string_equal(rg_unit_bytes(UINT64_MAX, b), "16.0 EiB");
	assert_string_equal(rg_unit_count(99999, b), "99999");
	assert_string_equal(rg_unit_count(100000, b), "100 k");
	assert_string_equal(rg_unit_age(0, b), "0s");
	assert_string_equal(rg_unit_age(59, b), "59s");
	assert_string_equal(rg_unit_age(3599, b), "59m 59s");
	assert_string_equal(rg_unit_age(90061, b), "1d 1h");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_aligned),
		cmocka_unit_test(json_keeps_raw_values),
		cmocka_unit_test(empty_lists),
		cmocka_unit_test(lines_are_documents),
		cmocka_unit_test(discarded_is_not_printed),
		cmocka_unit_test(full_disk_is_reported),
		cmocka_unit_test(rates_and_amounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
