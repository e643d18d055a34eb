// SPDX-License-Identifier: Apache-2.0
/*
 * A type is flattened into its leaves, each with its path such as "tx.roce_bytes" or
 * "by_reason[3].packets"; leaves of the same path are copied. Numbers of different width are
 * copied from their low bytes on, which both supported architectures (little endian) have first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/convert.h"

#define PATH_SIZE  128
#define MAX_LEAVES 1024
#define MAX_DEPTH  16

struct leaf {
	char path[PATH_SIZE];
	uint32_t offset;
	uint32_t size;
};

struct leaves {
	struct leaf *leaf;
	size_t n;
};

struct segment {
	uint32_t from;
	uint32_t to;
	uint32_t size;
};

struct rg_convert {
	size_t n;
	struct segment segments[];
};

static int add_leaf(struct leaves *leaves, const char *path, uint32_t offset, int64_t size)
{
	struct leaf *l;

	if (size < 0)
		return (int)size;
	if (leaves->n >= MAX_LEAVES)
		return -E2BIG;
	l = &leaves->leaf[leaves->n++];
	l->offset = offset;
	l->size = (uint32_t)size;
	return rg_str_copy(l->path, sizeof(l->path), path);
}

static int flatten(const struct btf *btf, uint32_t id, const char *path, uint32_t offset, int depth,
		   struct leaves *leaves);

static int flatten_struct(const struct btf *btf, const struct btf_type *t, const char *path,
			  uint32_t offset, int depth, struct leaves *leaves)
{
	const struct btf_member *m = btf_members(t);
	char sub[PATH_SIZE];
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < btf_vlen(t); i++) {
		const char *name = btf__name_by_offset(btf, m[i].name_off);

		if (btf_member_bitfield_size(t, i))
			return -EOPNOTSUPP;
		r = rg_str_format(sub, sizeof(sub), "%s.%s", path, name ? name : "");
		if (r == 0)
			r = flatten(btf, m[i].type, sub, offset + btf_member_bit_offset(t, i) / 8,
				    depth + 1, leaves);
	}
	return r;
}

static int flatten_array(const struct btf *btf, const struct btf_type *t, const char *path,
			 uint32_t offset, int depth, struct leaves *leaves)
{
	const struct btf_array *a = btf_array(t);
	int64_t size = btf__resolve_size(btf, a->type);
	char sub[PATH_SIZE];
	int r = 0;

	if (size < 0)
		return (int)size;
	/* strings and addresses are one leaf */
	if (size == 1)
		return add_leaf(leaves, path, offset, a->nelems);
	for (uint32_t i = 0; r == 0 && i < a->nelems; i++) {
		r = rg_str_format(sub, sizeof(sub), "%s[%u]", path, i);
		if (r == 0)
			r = flatten(btf, a->type, sub, offset + i * (uint32_t)size, depth + 1,
				    leaves);
	}
	return r;
}

static int flatten(const struct btf *btf, uint32_t id, const char *path, uint32_t offset, int depth,
		   struct leaves *leaves)
{
	int resolved = btf__resolve_type(btf, id);
	const struct btf_type *t;

	if (depth > MAX_DEPTH)
		return -E2BIG;
	if (resolved < 0)
		return resolved;
	t = btf__type_by_id(btf, (uint32_t)resolved);
	if (btf_is_composite(t))
		return flatten_struct(btf, t, path, offset, depth, leaves);
	if (btf_is_array(t))
		return flatten_array(btf, t, path, offset, depth, leaves);
	return add_leaf(leaves, path, offset, btf__resolve_size(btf, (uint32_t)resolved));
}

static int leaves_of(const struct btf *btf, uint32_t id, struct leaves *ret)
{
	ret->n = 0;
	ret->leaf = calloc(MAX_LEAVES, sizeof(*ret->leaf));
	return ret->leaf ? flatten(btf, id, "", 0, 0, ret) : -ENOMEM;
}

static void leaves_done(struct leaves *leaves)
{
	free(leaves->leaf);
}

static const struct leaf *find_leaf(const struct leaves *leaves, const char *path)
{
	for (size_t i = 0; i < leaves->n; i++)
		if (rg_str_equal(leaves->leaf[i].path, path))
			return &leaves->leaf[i];
	return NULL;
}

int rg_convert_new(const struct btf *from, uint32_t from_id, const struct btf *to, uint32_t to_id,
		   struct rg_convert **ret, struct rg_err *err)
{
	_cleanup_(leaves_done) struct leaves old = {NULL, 0}, new = {NULL, 0};
	struct rg_convert *c;
	int r;

	r = leaves_of(from, from_id, &old);
	if (r == 0)
		r = leaves_of(to, to_id, &new);
	if (r < 0)
		return rg_err_errno(err, r, "cannot compare the layouts of two maps");
	c = calloc(1, sizeof(*c) + new.n * sizeof(c->segments[0]));
	if (!c)
		return rg_err_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < new.n; i++) {
		const struct leaf *a = find_leaf(&old, new.leaf[i].path), *b = &new.leaf[i];

		if (a)
			c->segments[c->n++] = (struct segment){
				a->offset, b->offset, a->size < b->size ? a->size : b->size};
	}
	*ret = c;
	return 0;
}

static void btf_free_ptr(struct btf **btf)
{
	btf__free(*btf);
}

int rg_convert_maps(int from_fd, int to_fd, struct rg_convert **ret, struct rg_err *err)
{
	struct bpf_map_info from = {0}, to = {0};
	uint32_t from_len = sizeof(from), to_len = sizeof(to);
	_cleanup_(btf_free_ptr) struct btf *from_btf = NULL, *to_btf = NULL;
	int r;

	if (bpf_obj_get_info_by_fd(from_fd, &from, &from_len) < 0 ||
	    bpf_obj_get_info_by_fd(to_fd, &to, &to_len) < 0)
		return rg_err_errno(err, -errno, "cannot query a map");
	if (from.key_size != to.key_size)
		return rg_err_set(err, -EPROTO,
				  "map %s has keys of %u bytes instead of %u; drain the node's "
				  "pods, then run railctl cleanup",
				  from.name, from.key_size, to.key_size);
	if (from.value_size == to.value_size && (!from.btf_id || !to.btf_id)) {
		*ret = NULL;
		return 0;
	}
	from_btf = from.btf_id ? btf__load_from_kernel_by_id(from.btf_id) : NULL;
	to_btf = to.btf_id ? btf__load_from_kernel_by_id(to.btf_id) : NULL;
	if (!from_btf || !to_btf)
		return rg_err_set(err, -EPROTO,
				  "map %s has values of %u bytes instead of %u and no readable "
				  "BTF; drain the node's pods, then run railctl cleanup",
				  from.name, from.value_size, to.value_size);
	r = rg_convert_new(from_btf, from.btf_value_type_id, to_btf, to.btf_value_type_id, ret,
			   err);
	return r < 0 ? rg_err_ctx(err, r, "map %s", from.name) : 0;
}

void rg_convert_free(struct rg_convert *c)
{
	free(c);
}

void rg_convert_free_ptr(struct rg_convert **c)
{
	rg_convert_free(*c);
}

void rg_convert_value(const struct rg_convert *c, const void *from, void *to, size_t to_size)
{
	if (!c) {
		memcpy(to, from, to_size);
		return;
	}
	memset(to, 0, to_size);
	for (size_t i = 0; i < c->n; i++)
		memcpy((char *)to + c->segments[i].to, (const char *)from + c->segments[i].from,
		       c->segments[i].size);
}
