// SPDX-License-Identifier: Apache-2.0
/*
 * Values of an old layout in a new one: fields that moved, grew, came and went.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <bpf/btf.h>

#include "base/err.h"
#include "bpf/convert.h"

/**
 * struct types - BTF being made
 * @btf: BTF object
 * @u16: type of two bytes
 * @u32: type of four
 * @u64: type of eight
 * @chr: type of one
 */
struct types {
	struct btf *btf;
	int u16;
	int u32;
	int u64;
	int chr;
};

static struct types types_new(void)
{
	struct types t = {.btf = btf__new_empty()};

	assert_non_null(t.btf);
	t.u16 = btf__add_int(t.btf, "unsigned short", 2, 0);
	t.u32 = btf__add_int(t.btf, "unsigned int", 4, 0);
	t.u64 = btf__add_int(t.btf, "unsigned long long", 8, 0);
	t.chr = btf__add_int(t.btf, "char", 1, BTF_INT_CHAR);
	return t;
}

static int array(struct types *t, int of, uint32_t n)
{
	int id = btf__add_array(t->btf, t->u32, of, n);

	assert_true(id > 0);
	return id;
}

static void field(struct types *t, const char *name, int type, size_t offset)
{
	assert_int_equal(btf__add_field(t->btf, name, type, (uint32_t)offset * 8, 0), 0);
}

struct old_dir {
	uint64_t bytes;
	uint64_t packets;
};

struct old_value {
	char name[8];
	struct old_dir tx;
	uint16_t port;
	uint16_t gone;
	uint32_t by_reason[3];
};

struct new_dir {
	uint64_t packets;
	uint64_t bytes;
	uint64_t cnp;
};

struct new_value {
	uint32_t port;
	struct new_dir tx;
	uint32_t by_reason[5];
	char name[16];
};

static int old_type(struct types *t)
{
	int dir, name = array(t, t->chr, 8), reasons = array(t, t->u32, 3), value;

	dir = btf__add_struct(t->btf, "dir", sizeof(struct old_dir));
	field(t, "bytes", t->u64, offsetof(struct old_dir, bytes));
	field(t, "packets", t->u64, offsetof(struct old_dir, packets));
	value = btf__add_struct(t->btf, "value", sizeof(struct old_value));
	field(t, "name", name, offsetof(struct old_value, name));
	field(t, "tx", dir, offsetof(struct old_value, tx));
	field(t, "port", t->u16, offsetof(struct old_value, port));
	field(t, "gone", t->u16, offsetof(struct old_value, gone));
	field(t, "by_reason", reasons, offsetof(struct old_value, by_reason));
	return value;
}

static int new_type(struct types *t)
{
	int dir, name = array(t, t->chr, 16), reasons = array(t, t->u32, 5), value, alias;

	dir = btf__add_struct(t->btf, "dir", sizeof(struct new_dir));
	field(t, "packets", t->u64, offsetof(struct new_dir, packets));
	field(t, "bytes", t->u64, offsetof(struct new_dir, bytes));
	field(t, "cnp", t->u64, offsetof(struct new_dir, cnp));
	/* a typedef in between makes no difference */
	alias = btf__add_typedef(t->btf, "dir_t", dir);
	value = btf__add_struct(t->btf, "value", sizeof(struct new_value));
	field(t, "port", t->u32, offsetof(struct new_value, port));
	field(t, "tx", alias, offsetof(struct new_value, tx));
	field(t, "by_reason", reasons, offsetof(struct new_value, by_reason));
	field(t, "name", name, offsetof(struct new_value, name));
	return value;
}

static void test_fields_go_by_name(void **state)
{
	struct types from = types_new(), to = types_new();
	const struct old_value old = {
		.name = "rail0",
		.tx = {.bytes = 1000, .packets = 10},
		.port = 4791,
		.gone = 7,
		.by_reason = {1, 2, 3},
	};
	struct rg_convert *c = NULL;
	struct new_value new;
	struct rg_err err;

	(void)state;
	assert_int_equal(rg_convert_new(from.btf, (uint32_t)old_type(&from), to.btf,
					(uint32_t)new_type(&to), &c, &err),
			 0);
	memset(&new, 0xff, sizeof(new));
	rg_convert_value(c, &old, &new, sizeof(new));
	assert_string_equal(new.name, "rail0");
	assert_int_equal(new.tx.bytes, 1000);
	assert_int_equal(new.tx.packets, 10);
	assert_int_equal(new.tx.cnp, 0);
	assert_int_equal(new.port, 4791);
	assert_int_equal(new.by_reason[2], 3);
	assert_int_equal(new.by_reason[3], 0);
	rg_convert_free(c);
	btf__free(from.btf);
	btf__free(to.btf);
}

static void test_same_layout_is_a_copy(void **state)
{
	struct types t = types_new();
	uint32_t id = (uint32_t)old_type(&t);
	struct old_value old, copy;
	struct rg_convert *c = NULL;

	(void)state;
	memset(&old, 0x5a, sizeof(old));
	assert_int_equal(rg_convert_new(t.btf, id, t.btf, id, &c, NULL), 0);
	rg_convert_value(c, &old, &copy, sizeof(copy));
	assert_memory_equal(&old, &copy, sizeof(old));
	rg_convert_free(c);
	rg_convert_value(NULL, &old, &copy, sizeof(copy));
	assert_memory_equal(&old, &copy, sizeof(old));
	btf__free(t.btf);
}

static void test_bitfields_are_refused(void **state)
{
	struct types t = types_new();
	struct rg_convert *c = NULL;
	struct rg_err err;
	int id = btf__add_struct(t.btf, "bits", 4);

	(void)state;
	assert_int_equal(btf__add_field(t.btf, "b", t.u32, 0, 3), 0);
	assert_int_equal(rg_convert_new(t.btf, (uint32_t)id, t.btf, (uint32_t)id, &c, &err),
			 -EOPNOTSUPP);
	assert_null(c);
	assert_non_null(strstr(err.msg, "layouts"));
	btf__free(t.btf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields_go_by_name),
		cmocka_unit_test(test_same_layout_is_a_copy),
		cmocka_unit_test(test_bitfields_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
