// SPDX-License-Identifier: Apache-2.0
/*
 * Removing an attachment.
 */
#include <errno.h>
#include <string.h>
#include <sys/file.h>

#include "base/fs.h"
#include "base/str.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"
#include "fault.h"
#include "ipam.h"
#include "netconf.h"
#include "podhook.h"
#include "podlink.h"
#include "release.h"

/* The runtime's path and the record's may differ, and either may lead to the interface. */
static int remove_link(const struct rg_release *rel, struct rg_err *err)
{
	const char *recorded = rel->recorded ? rel->record->netns : NULL;
	int r = rg_podlink_remove(rel->netns, rel->record, rel->recorded, err);

	if (r < 0 || !recorded || rg_str_equal(recorded, rel->netns))
		return r;
	return rg_podlink_remove(recorded, rel->record, true, err);
}

/**
 * struct sweep - endpoints of an attachment being removed
 * @rel: attachment
 * @maps: maps
 * @err: for the sentence
 */
struct sweep {
	const struct rg_release *rel;
	const struct rg_maps *maps;
	struct rg_err *err;
};

static int sweep_one(uint32_t slot, const struct rg_endpoint *endpoint, void *arg)
{
	const struct sweep *s = arg;
	const struct rg_record *record = s->rel->record;
	int r;

	if (!rg_endpoints_is_of(endpoint, record->container_id, record->ifname))
		return 0;
	r = rg_podhook_remove(s->rel->node->pin_dir, slot, s->err);
	return r ? r : rg_endpoints_remove(s->maps, slot, s->err);
}

static int remove_endpoint(const struct rg_release *rel, struct rg_err *err)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	struct sweep sweep = {.rel = rel, .err = err};
	int r = rg_maps_open_locked(rel->node->pin_dir, RG_NODE_LOCK_MS, &maps, err);

	/* never loaded, or removed: no endpoint is left anywhere */
	if (r == -EAGAIN && !maps)
		return 0;
	if (r < 0)
		return r;
	sweep.maps = maps;
	return rg_endpoints_each(maps, sweep_one, &sweep);
}

int rg_release_claim(struct rg_store_lock *lock, struct rg_record *record, int *ret_busy_fd,
		     struct rg_fault *f)
{
	_cleanup_close_ int fd = -EBADF;
	int r;

	if (record->phase == RG_PHASE_READY)
		return 0;
	r = rg_store_open_record(lock, record->ifname, &fd, &f->err);
	if (r == 0 && record->phase == RG_PHASE_ADDING) {
		record->phase = RG_PHASE_REMOVING;
		r = rg_store_save_phase(lock, record, &f->err);
	}
	if (r < 0)
		return rg_fault_code(f, RG_CNI_IO, r);
	*ret_busy_fd = TAKE_FD(fd);
	return 0;
}

int rg_release_record(struct rg_store_lock *lock, const struct rg_record *record,
		      struct rg_err *err)
{
	_cleanup_record_ struct rg_record *now = NULL;

	if (rg_store_load(lock, record->ifname, &now, NULL) == 0 &&
	    !rg_str_equal(now->temp_name, record->temp_name))
		return 0;
	return rg_store_remove(lock, record->ifname, err);
}

int rg_release_devices(const struct rg_release *rel, struct rg_fault *f)
{
	struct rg_fault other = {0};
	int r, second;

	r = remove_link(rel, &f->err);
	if (r < 0)
		r = rg_fault_errno(f, r);
	second = remove_endpoint(rel, &other.err);
	if (second < 0 && r == 0) {
		*f = other;
		r = rg_fault_errno(f, second);
	}
	return r;
}

int rg_release_addresses(const struct rg_release *rel, struct rg_fault *f)
{
	const struct rg_ipam ipam = {
		.type = rel->ipam_type,
		.timeout_s = rel->ipam_timeout_s,
		.config = rel->config,
		.config_len = rel->config_len,
		.path = rel->path,
		.args = rel->args,
		.container_id = rel->record->container_id,
		.netns = rel->netns ? rel->netns : rel->record->netns,
		.ifname = rel->record->ifname,
	};

	int r = 0;

	if (!rel->ipam_type || !*rel->ipam_type)
		return 0;
	if (rel->busy_fd > 0)
		r = rg_fs_flock(rel->busy_fd, LOCK_EX, rel->ipam_timeout_s * 1000);
	if (r < 0)
		return rg_fault_set(f, RG_CNI_TRY_AGAIN,
				    "IPAM plugin '%s' of an ADD that was killed still runs; try "
				    "again",
				    rel->ipam_type);
	return rg_ipam_run(&ipam, RG_COMMAND_DEL, f);
}

/* The record's own configuration, as a DEL by the runtime would pass it. */
static int release_by_record(struct rg_node *node, struct rg_store_lock **lock,
			     const struct rg_record *record, int busy_fd, struct rg_fault *f)
{
	struct rg_call call = {.command = RG_COMMAND_DEL, .input = record->config};
	struct rg_release rel = {
		.node = node,
		.record = record,
		.recorded = true,
		.netns = record->netns,
		.config = record->config,
		.path = record->cni_path,
		.args = record->cni_args,
		.busy_fd = busy_fd,
	};
	struct rg_netconf conf = {0};
	struct rg_fault other = {0};
	int r, second = 0;

	r = rg_release_devices(&rel, f);
	call.input_len = record->config ? strlen(record->config) : 0;
	if (record->config && rg_netconf_parse(&call, &conf, &other) == 0) {
		char id[RG_RECORD_ID_SIZE];

		(void)rg_str_copy(id, sizeof(id), record->container_id);
		rel.config_len = call.input_len;
		rel.ipam_type = conf.ipam_type;
		rel.ipam_timeout_s = conf.ipam_timeout_s;
		rg_store_unlock(TAKE_PTR(*lock));
		second = rg_release_addresses(&rel, &other);
		if (rg_store_lock(node->store, id, RG_NODE_LOCK_MS, lock, NULL) < 0)
			*lock = NULL;
	}
	rg_netconf_done(&conf);
	if (second < 0 && r == 0) {
		*f = other;
		r = second;
	}
	return r;
}

int rg_release_recorded(struct rg_node *node, struct rg_store_lock **lock, const char *ifname,
			struct rg_fault *f)
{
	_cleanup_record_ struct rg_record *record = NULL;
	_cleanup_close_ int busy_fd = -EBADF;
	int r = rg_store_load(*lock, ifname, &record, &f->err);

	if (r == -ENOENT)
		return 0;
	if (r == -EBADMSG) /* nothing can be learned from it */
		return rg_store_remove(*lock, ifname, &f->err);
	if (r < 0)
		return rg_fault_code(f, RG_CNI_IO, r);
	r = rg_release_claim(*lock, record, &busy_fd, f);
	r = r ? r : release_by_record(node, lock, record, busy_fd, f);
	if (r == 0 && *lock)
		r = rg_release_record(*lock, record, &f->err);
	return r;
}
