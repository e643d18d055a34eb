// SPDX-License-Identifier: Apache-2.0
/*
 * Pods that are gone without a DEL: their identities and hooks are removed.
 *
 * Nothing is taken from a pod that may be alive. A hook's link is the best witness: it knows
 * whether its device exists, in whatever namespace. Without one, an endpoint is stale if its
 * namespace is provably gone, or if it has no record at all.
 *
 * The pin directory's lock is held alone meanwhile, so no ADD takes a slot between a look at it and
 * the removal of what it left. An attachment whose container is locked is being worked on and is
 * left for the next time.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/str.h"
#include "bpf/attach.h"
#include "bpf/endpoints.h"
#include "bpf/load.h"
#include "bpf/pin.h"
#include "daemon/agent.h"
#include "state/store.h"

static const char *const dirs[] = {"tx", "rx"};

/**
 * struct pass - one walk over the endpoints
 * @agent: agent
 * @maps: maps
 * @store: records
 * @keys: their names
 * @n_keys: number of @keys
 */
struct pass {
	struct rg_agent *agent;
	const struct rg_maps *maps;
	struct rg_store *store;
	const struct rg_store_key *keys;
	size_t n_keys;
};

enum witness {
	ALIVE,
	DEAD,
	SILENT, /* knows nothing */
};

static enum witness ask_hook(const struct rg_agent *agent, uint32_t slot)
{
	char name[RG_PIN_NAME_SIZE];
	uint32_t ifindex;

	if (rg_hook_device(agent->options.pin_dir, rg_pin_pod_link_name(slot, "tx", name),
			   &ifindex) < 0)
		return SILENT;
	return ifindex ? ALIVE : DEAD;
}

/* A path whose directory is not there either may be out of this process's sight. */
static enum witness ask_netns(const struct rg_record *record)
{
	char path[PATH_MAX];
	struct stat st;

	if (!record->netns || !*record->netns || rg_str_copy(path, sizeof(path), record->netns) < 0)
		return SILENT;
	if (stat(path, &st) == 0)
		return st.st_dev == record->netns_dev && st.st_ino == record->netns_ino ? ALIVE
											: SILENT;
	if (errno != ENOENT)
		return SILENT;
	return access(dirname(path), F_OK) == 0 ? DEAD : SILENT;
}

static void remove_hooks(struct rg_agent *agent, uint32_t slot)
{
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		char name[RG_PIN_NAME_SIZE];
		int r = rg_pin_remove(agent->options.pin_dir, RG_PIN_KIND_LINK,
				      rg_pin_pod_link_name(slot, dirs[i], name));

		if (r < 0)
			log_warn("cannot remove pin %s: %s", name, strerror(-r));
	}
}

static void remove_endpoint(const struct pass *pass, uint32_t slot, const struct rg_endpoint *e,
			    const char *why)
{
	struct rg_err err = {0};

	remove_hooks(pass->agent, slot);
	if (rg_endpoints_remove(pass->maps, slot, &err) < 0) {
		log_err("%s", err.msg);
		return;
	}
	pass->agent->repairs++;
	rg_log_write(RG_LOG_WARN,
		     RG_F("rail", e->rail_name, "namespace", e->pod_namespace, "pod", e->pod_name,
			  "container", e->container_id, "ifname", e->ifname),
		     "removed the endpoint of a pod: %s", why);
}

/* Ids longer than the map has room for are cut there; the record's directory has the whole id. */
static const struct rg_store_key *find_key(const struct pass *pass, const struct rg_endpoint *e)
{
	for (size_t i = 0; i < pass->n_keys; i++)
		if (rg_endpoints_is_of(e, pass->keys[i].container_id, pass->keys[i].ifname))
			return &pass->keys[i];
	return NULL;
}

static void check_recorded(const struct pass *pass, uint32_t slot, const struct rg_endpoint *e,
			   const struct rg_store_key *key)
{
	_cleanup_unlock_ struct rg_store_lock *lock = NULL;
	_cleanup_record_ struct rg_record *record = NULL;
	enum witness hook = ask_hook(pass->agent, slot), netns;

	if (hook == ALIVE || rg_store_lock(pass->store, key->container_id, 0, &lock, NULL) < 0)
		return;
	/* an ADD that was killed half way is for DEL or GC, its pod may not have begun */
	if (rg_store_load(lock, key->ifname, &record, NULL) < 0 || record->phase != RG_PHASE_READY)
		return;
	netns = ask_netns(record);
	if (hook == DEAD)
		remove_endpoint(pass, slot, e, "its interface is gone and no DEL came");
	else if (netns == DEAD)
		remove_endpoint(pass, slot, e, "its network namespace is gone and no DEL came");
	else if (netns == ALIVE)
		rg_agent_pod_hook(pass->agent, slot, record);
}

/* An ADD writes its record before its endpoint, a DEL removes it after the endpoint. */
static void check_unrecorded(const struct pass *pass, uint32_t slot, const struct rg_endpoint *e)
{
	_cleanup_unlock_ struct rg_store_lock *lock = NULL;

	if (ask_hook(pass->agent, slot) == ALIVE ||
	    rg_store_lock(pass->store, e->container_id, 0, &lock, NULL) < 0)
		return;
	remove_endpoint(pass, slot, e, "there is no record of its attachment");
}

static int check_endpoint(uint32_t slot, const struct rg_endpoint *e, void *arg)
{
	const struct pass *pass = arg;
	const struct rg_store_key *key;

	if (slot < RG_SLOT_FIRST_POD)
		return 0;
	key = find_key(pass, e);
	if (key)
		check_recorded(pass, slot, e, key);
	else
		check_unrecorded(pass, slot, e);
	return 0;
}

static int check_pin(const char *name, void *arg)
{
	const struct pass *pass = arg;
	struct rg_endpoint endpoint;
	int64_t slot = rg_pin_pod_link_slot(name);

	if (slot < RG_SLOT_FIRST_POD ||
	    rg_endpoints_get(pass->maps, (uint32_t)slot, &endpoint) != -ENOENT)
		return 0;
	if (rg_pin_remove(pass->agent->options.pin_dir, RG_PIN_KIND_LINK, name) == 0) {
		pass->agent->repairs++;
		rg_log_write(RG_LOG_WARN, RG_F("pin", name),
			     "removed the hook of a pod: its endpoint is gone");
	}
	return 0;
}

void rg_agent_attachments(struct rg_agent *agent)
{
	_cleanup_store_ struct rg_store *store = NULL;
	_cleanup_free_ struct rg_store_key *keys = NULL;
	_cleanup_close_ int lock = -EBADF;
	struct pass pass = {.agent = agent, .maps = rg_load_maps(agent->load)};
	struct rg_err err = {0};
	int r;

	r = rg_store_open(agent->options.state_dir, false, &store, &err);
	/* without records nothing is known, least of all that a pod is gone */
	if (r == -ENOENT)
		return;
	if (r < 0) {
		log_err("%s", err.msg);
		return;
	}
	if (rg_pin_lock(agent->options.pin_dir, true, 0, &lock, NULL) < 0)
		return;
	r = rg_store_list(store, NULL, &keys, &pass.n_keys, &err);
	if (r < 0) {
		log_err("%s", err.msg);
		return;
	}
	pass.store = store;
	pass.keys = keys;
	r = rg_endpoints_each(pass.maps, check_endpoint, &pass);
	if (r == 0)
		r = rg_pin_each(agent->options.pin_dir, RG_PIN_KIND_LINK, check_pin, &pass);
	if (r < 0)
		log_err("cannot look at the endpoints: %s", strerror(-r));
}
