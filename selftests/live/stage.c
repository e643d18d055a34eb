// SPDX-License-Identifier: Apache-2.0
/*
 * Building the stage, and judging what happened on it.
 */
#include "stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/tap.h"

const struct rules stage_standard = {
	.mode = RG_MODE_ENFORCE,
	.vlan = 7,
	.cidrs = {"10.9.0.0/16", "fd09::/64"},
};

static void add_origin(struct stage *s, int which, const char *name, unsigned int from,
		       const struct netdev *dev, size_t slot)
{
	s->origins[which] = (struct origin){
		.name = name,
		.from = from,
		.dev = dev,
		.slot = slot,
		.parent = from == FROM_MACVLAN,
	};
}

static void add_pods(struct stage *s)
{
	static const char *const macs[STAGE_PODS] = {"02:00:00:00:09:11", "02:00:00:00:09:12"};
	static const char *const ip4[STAGE_PODS] = {"10.9.0.11", "10.9.0.12"};
	static const char *const ip6[STAGE_PODS] = {"fd09::11", "fd09::12"};
	static const char *const names[STAGE_PODS] = {"pod0", "pod1"};
	size_t slot;

	for (int i = 0; i < STAGE_PODS; i++) {
		s->ns[i] = world_namespace();
		world_macvlan(&s->world, names[i], "bridge", macs[i], &s->pods[i]);
		slot = guard_pod(&s->guard, &s->pods[i], RG_KIND_MACVLAN,
				 RG_IDENT_SHARED | RG_IDENT_BRIDGE, s->ns[i], ip4[i], ip6[i]);
		add_origin(s, ORIGIN_POD + i, names[i], FROM_MACVLAN, &s->pods[i], slot);
	}
	s->origins[ORIGIN_POD].name = "macvlan pod";
	s->ns[STAGE_PODS] = world_namespace();
	world_wire(&s->world, "own0", "02:00:00:00:09:21", &s->own, &s->own_far);
	slot = guard_pod(&s->guard, &s->own, RG_KIND_SRIOV, 0, s->ns[STAGE_PODS], "10.9.0.21",
			 "fd09::21");
	add_origin(s, ORIGIN_DEVICE, "pod with its own device", FROM_DEVICE, &s->own, slot);
}

struct stage *stage_open(void)
{
	struct stage *s = calloc(1, sizeof(*s));

	if (!s)
		tap_bail("out of memory");
	world_open(&s->world);
	guard_open(&s->guard);
	guard_rules(&s->guard, &stage_standard);
	world_up(&s->world.rail, "10.9.0.1", "fd09::1");
	guard_rail(&s->guard, &s->world);
	add_origin(s, ORIGIN_HOST, "host", FROM_HOST, &s->world.rail, SLOT_HOST);
	add_pods(s);
	stage_listen(s);
	return s;
}

void stage_listen(struct stage *s)
{
	s->far = catch_open(s->world.fabric, 0, &s->world.rail, s->world.far.mac);
}

void stage_deafen(struct stage *s)
{
	catch_close(s->far);
	s->far = NULL;
}

void stage_watch(struct stage *s)
{
	const struct netdev *pod = s->origins[ORIGIN_SIBLING].dev;

	/* it shall not answer what it receives */
	world_ip(pod->ns, "address flush dev %s", pod->name);
	s->near = catch_open(pod->ns, pod->ifindex, &s->world.far, pod->mac);
}

void stage_close(struct stage *s)
{
	guard_close(&s->guard);
	world_enter(s->world.host);
	catch_close(s->far);
	if (s->near)
		catch_close(s->near);
	for (int i = 0; i <= STAGE_PODS; i++)
		rg_close_ptr(&s->ns[i]);
	world_close(&s->world);
	if (umount("/sys/fs/bpf") < 0)
		tap_bail("cannot unmount the test's bpffs");
	guard_gone(&s->guard);
	free(s);
}

void outcome_begin(struct stage *s, struct outcome *o)
{
	memset(o, 0, sizeof(*o));
	snapshot_take(&s->guard, &o->before);
}

static void count(struct rg_dir *dir, enum kind kind, uint64_t packets, uint64_t bytes)
{
	switch (kind) {
	case KIND_L2:
		dir->l2_packets += packets;
		return;
	case KIND_IP:
		dir->ip_packets += packets;
		dir->ip_bytes += bytes;
		return;
	case KIND_CNP:
		dir->cnp_packets += packets;
		break;
	case KIND_CE:
		dir->ecn_ce_packets += packets;
		break;
	case KIND_ROCE:
		break;
	}
	dir->roce_packets += packets;
	dir->roce_bytes += bytes;
}

void outcome_passed(struct outcome *o, size_t slot, enum kind kind, uint64_t packets,
		    uint64_t bytes)
{
	count(&o->want.slots[slot].counters.tx, kind, packets, bytes);
}

void outcome_received(struct outcome *o, size_t slot, enum kind kind, uint64_t packets,
		      uint64_t bytes)
{
	count(&o->want.slots[slot].counters.rx, kind, packets, bytes);
}

void outcome_dropped(struct outcome *o, size_t slot, enum rg_reason reason, uint64_t packets,
		     uint64_t bytes)
{
	struct rg_count *drop = &o->want.slots[slot].drops.by_reason[reason];

	drop->packets += packets;
	drop->bytes += bytes;
}

static bool frames_are(const struct caught *got, size_t want, const struct frame *same,
		       const char *where, char *text, size_t size)
{
	if (got->n != want) {
		(void)snprintf(text, size, "%zu frames arrived %s, %zu expected", got->n, where,
			       want);
		return false;
	}
	for (size_t i = 0; same && i < got->n && i < CATCH_MAX_FRAMES; i++) {
		if (got->frames[i].len == same->len &&
		    !memcmp(got->frames[i].data, same->data, same->len))
			continue;
		(void)snprintf(text, size, "frame %zu of %zu bytes %s is not the one sent", i + 1,
			       got->frames[i].len, where);
		return false;
	}
	return true;
}

static bool near_is(struct stage *s, struct outcome *o, char *text, size_t size)
{
	if (!s->near)
		return true;
	/* the mark itself is received */
	outcome_received(o, s->origins[ORIGIN_SIBLING].slot, KIND_L2, 1, 0);
	return frames_are(catch_all(s->near), o->near, o->same, "in the other pod", text, size);
}

bool outcome_check(struct stage *s, struct outcome *o, int sent, const char *fmt, ...)
{
	const struct caught *far = catch_all(s->far);
	char name[256], text[256] = "";
	struct snapshot since;
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	(void)vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	ok = near_is(s, o, text, sizeof(text)) &&
	     frames_are(far, o->frames, o->same, "at the far end", text, sizeof(text));
	snapshot_since(&s->guard, &o->before, &since);
	ok = ok && snapshot_is(&s->guard, &since, &o->want, text, sizeof(text));
	if (!tap_ok(ok, "%s", name)) {
		tap_note("%s", text);
		tap_note("sending returned %d (%s)", sent, sent ? strerror(-sent) : "success");
	}
	return ok;
}
