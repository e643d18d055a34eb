// SPDX-License-Identifier: Apache-2.0
/*
 * Writing and reading the policy.
 *
 * The order of a replacement: sweep what no generation in force refers to, insert the new
 * generation's networks, fill a new inner array, put it into rg_config[0], delete the old
 * generation's networks. A crash between any two leaves one whole policy in force, and the next
 * replacement sweeps the rest.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <bpf/bpf.h>

#include <railgate/abi.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/config.h"
#include "bpf/convert.h"
#include "bpf/maps.h"

static const uint32_t zero;

int rg_policy_add_cidr(struct rg_policy *policy, const struct rg_cidr_net *net, uint32_t scope,
		       uint32_t index)
{
	struct rg_policy_cidr *cidr;

	if (policy->n_cidrs >= RG_POLICY_MAX_CIDRS)
		return -E2BIG;
	cidr = &policy->cidrs[policy->n_cidrs++];
	cidr->net = rg_cidr_network(net);
	cidr->scope = scope;
	cidr->index = index;
	return 0;
}

static struct rg_cidr_key cidr_key(const struct rg_policy_cidr *cidr, uint32_t generation)
{
	struct rg_cidr_key key = {
		.prefixlen = RG_CIDR_FIXED_BITS + rg_cidr_prefix128(&cidr->net),
		.generation = generation,
		.scope = cidr->scope,
	};

	memcpy(key.addr, cidr->net.addr.b, sizeof(key.addr));
	return key;
}

static struct rg_policy_cidr cidr_of_key(const struct rg_cidr_key *key, uint32_t index)
{
	struct rg_policy_cidr cidr = {.scope = key->scope, .index = index};
	unsigned int prefix = key->prefixlen - RG_CIDR_FIXED_BITS;

	memcpy(cidr.net.addr.b, key->addr, sizeof(key->addr));
	if (rg_addr_is_v4(&cidr.net.addr) && prefix >= 96)
		prefix -= 96;
	cidr.net.prefix = (uint8_t)prefix;
	return cidr;
}

/*
 * Delete the networks of every generation but one. Keys are collected first: deleting under the
 * walk would restart it.
 */
static int sweep(int fd, uint32_t keep, struct rg_err *err)
{
	_cleanup_free_ struct rg_cidr_key *dead = calloc(RG_MAX_CIDRS, sizeof(*dead));
	struct rg_cidr_key key, next;
	const void *from = NULL;
	size_t n = 0;

	if (!dead)
		return rg_err_set(err, -ENOMEM, "out of memory");
	while (n < RG_MAX_CIDRS && bpf_map_get_next_key(fd, from, &next) == 0) {
		if (next.generation != keep)
			dead[n++] = next;
		key = next;
		from = &key;
	}
	for (size_t i = 0; i < n; i++)
		if (bpf_map_delete_elem(fd, &dead[i]) < 0 && errno != ENOENT)
			return rg_err_errno(err, -errno, "cannot delete from map %s", RG_MAP_CIDRS);
	return 0;
}

static int insert_cidrs(int fd, const struct rg_policy *policy, uint32_t generation,
			struct rg_err *err)
{
	for (size_t i = 0; i < policy->n_cidrs; i++) {
		struct rg_cidr_key key = cidr_key(&policy->cidrs[i], generation);
		struct rg_cidr value = {
			.index = policy->cidrs[i].index,
			.prefix = key.prefixlen - RG_CIDR_FIXED_BITS,
		};

		/* of two equal networks the first names the entry */
		if (bpf_map_update_elem(fd, &key, &value, BPF_NOEXIST) < 0 && errno != EEXIST)
			return rg_err_errno(err, -errno, "cannot write CIDR %zu of %zu to map %s",
					    i + 1, policy->n_cidrs, RG_MAP_CIDRS);
	}
	return 0;
}

static int make_inner(const struct rg_policy_types *types, const struct rg_policy *policy,
		      uint32_t generation, int *ret_fd, struct rg_err *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);
	_cleanup_close_ int fd = -EBADF;

	if (types && types->btf_fd >= 0) {
		opts.btf_fd = (uint32_t)types->btf_fd;
		opts.btf_key_type_id = types->key_id;
		opts.btf_value_type_id = types->value_id;
	}
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "rg_rails", sizeof(uint32_t),
			    sizeof(struct rg_rail), RG_MAX_RAILS, &opts);
	if (fd < 0)
		return rg_err_errno(err, -errno, "cannot create the array of rails");
	for (uint32_t i = 0; i < RG_MAX_RAILS; i++) {
		struct rg_rail rail = policy->rails[i];

		rail.generation = generation;
		if (bpf_map_update_elem(fd, &i, &rail, BPF_ANY) < 0)
			return rg_err_errno(err, -errno, "cannot fill the array of rails");
	}
	*ret_fd = TAKE_FD(fd);
	return 0;
}

/*
 * Puts the new array into rg_config[0]. Kernels before 6.2 compare what BTF says of both maps more
 * strictly (kernel/bpf/map_in_map.c, bpf_map_meta_equal()) and refuse one with BTF where libbpf
 * made the first one without: bpftool then shows the rails as bytes, but the policy is in force.
 */
static int swap_inner(const struct rg_maps *maps, const struct rg_policy_types *types,
		      const struct rg_policy *policy, uint32_t generation, struct rg_err *err)
{
	int config = rg_maps_fd(maps, RG_MAP_ID_CONFIG);
	_cleanup_close_ int inner = -EBADF;
	int r;

	r = make_inner(types, policy, generation, &inner, err);
	if (r < 0)
		return r;
	if (bpf_map_update_elem(config, &zero, &inner, BPF_ANY) == 0)
		return 0;
	r = -errno;
	if (r == -EINVAL && types)
		return swap_inner(maps, NULL, policy, generation, err);
	return rg_err_errno(err, r, "cannot replace the policy in map %s", RG_MAP_CONFIG);
}

int rg_policy_write(const struct rg_maps *maps, const struct rg_policy_types *types,
		    struct rg_policy *policy, struct rg_err *err)
{
	uint32_t old = policy->generation, generation = old + 1;
	int cidrs = rg_maps_fd(maps, RG_MAP_ID_CIDRS);
	int r;

	r = sweep(cidrs, old, err);
	if (r < 0)
		return r;
	r = insert_cidrs(cidrs, policy, generation, err);
	if (r == 0)
		r = swap_inner(maps, types, policy, generation, err);
	if (r < 0) {
		(void)sweep(cidrs, old, NULL);
		return r;
	}
	policy->generation = generation;
	/* the update above waited for the packets that still read the old generation */
	return sweep(cidrs, generation, err);
}

static int open_inner(int config_fd, int *ret_fd, struct rg_err *err)
{
	uint32_t id;
	int fd;

	if (bpf_map_lookup_elem(config_fd, &zero, &id) < 0) {
		if (errno == ENOENT)
			return rg_err_set(err, -ENOENT,
					  "no policy was written yet; start railgated");
		return rg_err_errno(err, -errno, "cannot read map %s", RG_MAP_CONFIG);
	}
	fd = bpf_map_get_fd_by_id(id);
	if (fd < 0)
		return rg_err_errno(err, -errno,
				    "cannot open the array of rails, map %u (needs CAP_SYS_ADMIN)",
				    id);
	*ret_fd = fd;
	return 0;
}

static int read_rails(int fd, struct rg_policy *policy, struct rg_err *err)
{
	for (uint32_t i = 0; i < RG_MAX_RAILS; i++) {
		if (bpf_map_lookup_elem(fd, &i, &policy->rails[i]) < 0)
			return rg_err_errno(err, -errno, "cannot read the array of rails");
	}
	policy->generation = policy->rails[0].generation;
	return 0;
}

static int read_rails_converted(int fd, const struct rg_convert *conv, uint32_t value_size,
				struct rg_policy *policy, struct rg_err *err)
{
	_cleanup_free_ void *value = malloc(value_size);

	if (!value)
		return rg_err_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < RG_MAX_RAILS; i++)
		if (bpf_map_lookup_elem(fd, &i, value) == 0)
			rg_convert_value(conv, value, &policy->rails[i], sizeof(policy->rails[i]));
	policy->generation = policy->rails[0].generation;
	return 0;
}

int rg_policy_read_other(int config_fd, const struct rg_policy_types *types, struct rg_policy **ret,
			 struct rg_err *err)
{
	_cleanup_(rg_convert_free_ptr) struct rg_convert *conv = NULL;
	_cleanup_free_ struct rg_policy *policy = calloc(1, sizeof(*policy));
	_cleanup_close_ int inner = -EBADF, shape = -EBADF;
	struct bpf_map_info info = {0};
	uint32_t len = sizeof(info);
	int r;

	if (!policy)
		return rg_err_set(err, -ENOMEM, "out of memory");
	r = open_inner(config_fd, &inner, err);
	/* an empty array of this version's shape, to compare with */
	if (r == 0)
		r = make_inner(types, policy, 0, &shape, err);
	if (r == 0)
		r = rg_convert_maps(inner, shape, &conv, err);
	if (r < 0)
		return r;
	if (bpf_obj_get_info_by_fd(inner, &info, &len) < 0)
		return rg_err_errno(err, -errno, "cannot query the array of rails");
	r = read_rails_converted(inner, conv, info.value_size, policy, err);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(policy);
	return 0;
}

static int compare_cidrs(const void *a, const void *b)
{
	const struct rg_policy_cidr *x = a, *y = b;

	if (x->scope != y->scope)
		return x->scope < y->scope ? -1 : 1;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return 0;
}

static void read_cidrs(int fd, struct rg_policy *policy)
{
	struct rg_cidr_key key, next;
	const void *from = NULL;
	struct rg_cidr value;

	while (policy->n_cidrs < RG_POLICY_MAX_CIDRS &&
	       bpf_map_get_next_key(fd, from, &next) == 0) {
		if (next.generation == policy->generation &&
		    bpf_map_lookup_elem(fd, &next, &value) == 0)
			policy->cidrs[policy->n_cidrs++] = cidr_of_key(&next, value.index);
		key = next;
		from = &key;
	}
	qsort(policy->cidrs, policy->n_cidrs, sizeof(policy->cidrs[0]), compare_cidrs);
}

int rg_policy_read(const struct rg_maps *maps, struct rg_policy **ret, struct rg_err *err)
{
	_cleanup_free_ struct rg_policy *policy = calloc(1, sizeof(*policy));
	_cleanup_close_ int inner = -EBADF;
	int r;

	if (!policy)
		return rg_err_set(err, -ENOMEM, "out of memory");
	r = open_inner(rg_maps_fd(maps, RG_MAP_ID_CONFIG), &inner, err);
	if (r == 0)
		r = read_rails(inner, policy, err);
	if (r < 0)
		return r;
	read_cidrs(rg_maps_fd(maps, RG_MAP_ID_CIDRS), policy);
	*ret = TAKE_PTR(policy);
	return 0;
}

int rg_policy_rail_number(const struct rg_policy *policy, const char *name)
{
	for (int i = 0; i < RG_MAX_RAILS; i++)
		if (policy->rails[i].mode != RG_MODE_NONE &&
		    rg_str_equal(policy->rails[i].name, name))
			return i;
	return -ENOENT;
}

int rg_policy_find_rail(const struct rg_maps *maps, const char *name, struct rg_rail *ret,
			struct rg_err *err)
{
	_cleanup_close_ int inner = -EBADF;
	int r = open_inner(rg_maps_fd(maps, RG_MAP_ID_CONFIG), &inner, err);

	if (r < 0)
		return r;
	for (uint32_t i = 0; i < RG_MAX_RAILS; i++) {
		struct rg_rail rail;

		if (bpf_map_lookup_elem(inner, &i, &rail) < 0)
			return rg_err_errno(err, -errno, "cannot read the array of rails");
		if (rail.mode == RG_MODE_NONE || !rg_str_equal(rail.name, name))
			continue;
		*ret = rail;
		return (int)i;
	}
	return rg_err_set(
		err, -ENOENT,
		"the policy of rail '%s' is not loaded; start railgated or let it read the "
		"configuration again (SIGHUP)",
		name);
}
