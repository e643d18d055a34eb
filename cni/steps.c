// SPDX-License-Identifier: Apache-2.0
/*
 * The steps of ADD.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <linux/if_link.h>

#include "base/fs.h"
#include "base/str.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"
#include "fault.h"
#include "ipam.h"
#include "net/link.h"
#include "podhook.h"
#include "podlink.h"
#include "rdma/gid.h"
#include "routes.h"
#include "steps.h"
#include "topo/sysfs.h"

/* The kernel adds a GID within a few milliseconds of the address. */
#define GID_WAIT_MS 1000

static int write_record(struct rg_attach *a, bool durable, struct rg_fault *f)
{
	int r = rg_store_save(*a->lock, a->record, durable, &f->err);

	return r < 0 ? rg_fault_code(f, RG_CNI_IO, r) : 0;
}

static int journal(struct rg_attach *a, struct rg_fault *f)
{
	return write_record(a, true, f);
}

/* Whether the record on disk is of a newer ADD: its temporary name is unique. */
static bool lost_to_newer(struct rg_attach *a)
{
	_cleanup_record_ struct rg_record *now = NULL;

	return *a->lock && rg_store_load(*a->lock, a->record->ifname, &now, NULL) == 0 &&
	       !rg_str_equal(now->temp_name, a->record->temp_name);
}

/* Whether the record on disk is still this attachment's, and nobody is removing it. */
static bool owns_record(struct rg_attach *a)
{
	_cleanup_record_ struct rg_record *now = NULL;

	return rg_store_load(*a->lock, a->record->ifname, &now, NULL) == 0 &&
	       rg_str_equal(now->temp_name, a->record->temp_name) && now->phase == a->record->phase;
}

static int undo_journal(void *arg, struct rg_err *err)
{
	struct rg_attach *a = arg;

	if (!*a->lock || !owns_record(a))
		return 0;
	return rg_store_remove(*a->lock, a->record->ifname, err);
}

static struct rg_ipam ipam_call(const struct rg_attach *a)
{
	return (struct rg_ipam){
		.type = a->conf->ipam_type,
		.timeout_s = a->conf->ipam_timeout_s,
		.config = a->call->input,
		.config_len = a->call->input_len,
		.path = a->call->path,
		.args = a->call->args,
		.container_id = a->call->container_id,
		.netns = a->call->netns,
		.ifname = a->record->ifname,
	};
}

/*
 * The IPAM plugin inherits this lock on the record. If this process is killed, as a runtime does
 * that has waited long enough, the plugin goes on, and a DEL must not free what it has yet to
 * allocate. Killing it as well would be worse: host-local may leave an address that is nobody's.
 */
static int lock_busy(struct rg_attach *a, int *ret_fd, struct rg_fault *f)
{
	_cleanup_close_ int fd = -EBADF;
	int r = rg_store_open_record(*a->lock, a->record->ifname, &fd, &f->err);

	r = r ? r : rg_fs_flock(fd, LOCK_SH, RG_NODE_LOCK_MS);
	if (r < 0)
		return rg_fault_code(f, RG_CNI_IO, r);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

/* While IPAM ran without the lock, a DEL may have ended the attachment. */
static int lock_again(struct rg_attach *a, struct rg_fault *f)
{
	int r = rg_store_lock(a->node->store, a->call->container_id, RG_NODE_LOCK_MS, a->lock,
			      &f->err);

	if (r < 0)
		return rg_fault_errno(f, r);
	if (!owns_record(a))
		return rg_fault_set(
			f, RG_CNI_TRY_AGAIN,
			"interface '%s' of container '%s' was deleted while it was being "
			"added",
			a->record->ifname, a->call->container_id);
	return 0;
}

static int take_addrs(struct rg_attach *a, struct rg_fault *f)
{
	if (a->ipam.n_ips > RG_RECORD_MAX_ADDRS)
		return rg_fault_set(
			f, RG_CNI_IPAM,
			"IPAM plugin '%s' gave %zu addresses; one interface has at most %d",
			a->conf->ipam_type, a->ipam.n_ips, RG_RECORD_MAX_ADDRS);
	if (!a->ipam.n_ips)
		return rg_fault_set(f, RG_CNI_IPAM, "IPAM plugin '%s' gave no address",
				    a->conf->ipam_type);
	for (size_t i = 0; i < a->ipam.n_ips; i++) {
		a->record->addrs[i] = a->ipam.ips[i].addr;
		a->setup.addrs[i] = a->ipam.ips[i].addr;
	}
	a->record->n_addrs = a->ipam.n_ips;
	a->setup.n_addrs = a->ipam.n_ips;
	return 0;
}

static int allocate(struct rg_attach *a, struct rg_fault *f)
{
	_cleanup_close_ int busy_fd = -EBADF;
	struct rg_ipam ipam = ipam_call(a);
	struct rg_fault relock = {0};
	int r, locked;

	a->setup.metric = rg_route_rail_metric((unsigned int)a->number);
	if (!a->conf->ipam_type[0])
		return 0;
	r = lock_busy(a, &busy_fd, f);
	if (r < 0)
		return r;
	ipam.busy_fd = busy_fd;
	rg_store_unlock(TAKE_PTR(*a->lock));
	r = rg_ipam_add(&ipam, &a->ipam, f);
	rg_close_ptr(&busy_fd);
	busy_fd = -EBADF;
	locked = lock_again(a, &relock);
	if (locked < 0 && r == 0) {
		*f = relock;
		r = locked;
	}
	r = r ? r : take_addrs(a, f);
	return r ? r : rg_routes_plan(a, f);
}

static int undo_allocate(void *arg, struct rg_err *err)
{
	struct rg_attach *a = arg;
	const struct rg_ipam ipam = ipam_call(a);
	struct rg_fault f = {0};
	int r;

	/* addresses go by the names of the attachment, which are the newer one's now */
	if (!a->conf->ipam_type[0] || lost_to_newer(a))
		return 0;
	r = rg_ipam_run(&ipam, RG_COMMAND_DEL, &f);
	if (r < 0)
		*err = f.err;
	return r;
}

/*
 * The device is born in the pod's namespace, so the host never sees it. The kernel compares its
 * name with the host's devices too; where one of them has it, it is renamed inside the pod.
 */
static int make_link(struct rg_attach *a, struct rg_fault *f)
{
	struct rg_macvlan spec = {
		.parent = a->dev.link.ifindex,
		.netns_fd = a->netns_fd,
		.name = a->record->ifname,
		.mode = a->conf->macvlan_mode,
		.mtu = a->conf->mtu,
		.bcqueuelen = a->conf->bcqueuelen,
	};
	int r;

	memcpy(spec.mac, a->record->mac, RG_MAC_LEN);
	r = rg_link_add_macvlan(a->node->nl, &spec, &f->err);
	if (r == -EEXIST) {
		spec.name = a->record->temp_name;
		r = rg_link_add_macvlan(a->node->nl, &spec, &f->err);
	}
	if (r < 0) {
		(void)rg_err_ctx(&f->err, r, "rail '%s' (%s)", a->rail->name, a->dev.link.name);
		return rg_fault_errno(f, r);
	}
	(void)rg_str_copy(a->setup.made_as, sizeof(a->setup.made_as), spec.name);
	return 0;
}

/* By what was really made: another interface of the same name is not ours. */
static int undo_link(void *arg, struct rg_err *err)
{
	struct rg_attach *a = arg;
	struct rg_record made = *a->record;

	if (!a->setup.made_as[0])
		return 0;
	made.ifindex = a->setup.ifindex;
	/* not known as the one that ADD saw: recognised by its MAC alone */
	made.netns_ino = 0;
	return rg_podlink_remove(a->call->netns, &made, true, err);
}

static int take_endpoint(struct rg_attach *a, struct rg_fault *f)
{
	struct rg_addr addrs[RG_RECORD_MAX_ADDRS];
	struct rg_endpoint endpoint;
	int r = rg_maps_open_locked(a->node->pin_dir, RG_NODE_LOCK_MS, &a->maps, &f->err);

	if (r < 0)
		return rg_fault_errno(f, r);
	for (size_t i = 0; i < a->record->n_addrs; i++)
		addrs[i] = a->record->addrs[i].addr;
	rg_attach_endpoint(a->record, a->conf, &endpoint);
	r = rg_endpoints_add(a->maps, &endpoint, addrs, a->record->n_addrs, &a->record->slot,
			     &f->err);
	if (r < 0)
		return rg_fault_errno(f, r);
	a->record->has_slot = true;
	return 0;
}

static int undo_endpoint(void *arg, struct rg_err *err)
{
	struct rg_attach *a = arg;
	int r;

	if (!a->record->has_slot)
		return 0;
	r = rg_podhook_remove(a->node->pin_dir, a->record->slot, err);
	return r ? r : rg_endpoints_remove(a->maps, a->record->slot, err);
}

static int set_up_pod(struct rg_attach *a, struct rg_fault *f)
{
	int r;

	a->setup.netns.dev = a->record->netns_dev;
	a->setup.netns.ino = a->record->netns_ino;
	a->setup.progs_fd = -EBADF;
	if (a->conf->macvlan_mode == MACVLAN_MODE_BRIDGE)
		a->setup.progs_fd = rg_maps_fd(a->maps, RG_MAP_ID_PROGS);
	a->setup.slot = a->record->slot;
	memcpy(a->setup.mac, a->record->mac, RG_MAC_LEN);
	(void)rg_str_copy(a->setup.ifname, sizeof(a->setup.ifname), a->record->ifname);
	if (rg_str_copy(a->setup.pin_dir, sizeof(a->setup.pin_dir), a->node->pin_dir) < 0)
		return rg_fault_set(f, RG_CNI_ENVIRONMENT, "pin directory '%s': path is too long",
				    a->node->pin_dir);
	r = rg_pod_configure(a->netns_fd, &a->setup, &f->err);
	if (r < 0) {
		(void)rg_err_ctx(&f->err, r, "interface '%s' on rail '%s'", a->record->ifname,
				 a->rail->name);
		return rg_fault_errno(f, r);
	}
	a->record->ifindex = a->setup.ifindex;
	(void)rg_endpoints_set_ifindex(a->maps, a->record->slot, (uint32_t)a->setup.ifindex);
	return 0;
}

/*
 * Without its RoCEv2 GID the pod cannot use the RDMA device; but the device may serve pods that
 * want the interface alone, so the record says what was found and the ADD stands.
 */
static int find_gid(struct rg_attach *a, struct rg_fault *f)
{
	char text[RG_ADDR_STR_LEN];
	struct rg_gid gid;

	(void)f;
	if (!a->conf->rdma || !a->dev.rdma[0] || !a->record->n_addrs)
		return 0;
	(void)rg_str_copy(a->record->rdma_device, sizeof(a->record->rdma_device), a->dev.rdma);
	if (rg_gid_wait(RG_SYSFS_DEFAULT, a->dev.rdma, &a->record->addrs[0].addr, GID_WAIT_MS,
			&gid) == 0)
		a->record->gid_index = (int32_t)gid.index;
	else
		(void)fprintf(
			stderr,
			"railgate: RDMA device '%s' of rail '%s' got no RoCEv2 GID for %s within "
			"%d ms; \"rdma\": \"none\" does not look for one\n",
			a->dev.rdma, a->rail->name, rg_addr_format(&a->record->addrs[0].addr, text),
			GID_WAIT_MS);
	return 0;
}

static int complete(struct rg_attach *a, struct rg_fault *f)
{
	a->record->phase = RG_PHASE_READY;
	return write_record(a, false, f);
}

static const struct rg_step macvlan_steps[] = {
	{"record", journal, undo_journal}, {"addresses", allocate, undo_allocate},
	{"macvlan", make_link, undo_link}, {"endpoint", take_endpoint, undo_endpoint},
	{"interface", set_up_pod, NULL},   {"GID", find_gid, NULL},
	{"completion", complete, NULL},
};

int rg_steps_run(struct rg_attach *a, struct rg_undo *undo, struct rg_fault *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(macvlan_steps); i++) {
		const struct rg_step *step = &macvlan_steps[i];
		int r = step->undo ? rg_undo_push(undo, step->name, step->undo, a) : 0;

		if (r < 0)
			return rg_fault_set(f, RG_CNI_INTERNAL, "too many steps in one call");
		r = step->run(a, f);
		if (r < 0)
			return r;
	}
	return 0;
}
