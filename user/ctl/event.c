// SPDX-License-Identifier: Apache-2.0
/*
 * A drop event as a line or an object.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/inet.h"
#include "base/str.h"
#include "event.h"
#include "names.h"
#include "out.h"
#include "reason.h"
#include "who.h"

#define ETHERNET_BYTES 14
#define NS_PER_S       1000000000u

static bool pod_wanted(const char *want, const struct rg_event_names *names)
{
	const char *slash = strchr(want, '/');
	size_t len;

	if (!slash)
		return rg_str_equal(want, names->pod_name);
	len = (size_t)(slash - want);
	if (strlen(names->pod_namespace) != len || strncmp(want, names->pod_namespace, len) != 0)
		return false;
	return !slash[1] || rg_str_equal(slash + 1, names->pod_name);
}

bool rg_event_wanted(const struct rg_event_filter *filter, const struct rg_event *ev,
		     const struct rg_event_names *names)
{
	if (filter->reason >= 0 && filter->reason != ev->reason)
		return false;
	if (filter->rail && !rg_str_equal(filter->rail, names->rail))
		return false;
	return !filter->pod || pod_wanted(filter->pod, names);
}

static void endpoint_text(const uint8_t raw[16], uint16_t port, char *buf, size_t size)
{
	char text[RG_ADDR_STR_LEN];
	struct rg_addr a;

	memcpy(a.b, raw, sizeof(a.b));
	(void)rg_addr_format(&a, text);
	if (!port)
		(void)rg_str_copy(buf, size, text);
	else if (rg_addr_is_v4(&a))
		(void)rg_str_format(buf, size, "%s:%u", text, port);
	else
		(void)rg_str_format(buf, size, "[%s]:%u", text, port);
}

static bool has_addresses(const struct rg_event *ev)
{
	static const uint8_t zero[16];

	return memcmp(ev->saddr, zero, sizeof(zero)) != 0 ||
	       memcmp(ev->daddr, zero, sizeof(zero)) != 0;
}

char *rg_event_flow(const struct rg_event *ev, char buf[RG_FLOW_SIZE])
{
	char src[RG_ADDR_STR_LEN + 8], dst[RG_ADDR_STR_LEN + 8];
	char smac[RG_MAC_STR_LEN], dmac[RG_MAC_STR_LEN], proto[RG_PROTO_NAME_SIZE];

	if (has_addresses(ev)) {
		endpoint_text(ev->saddr, ev->sport, src, sizeof(src));
		endpoint_text(ev->daddr, ev->dport, dst, sizeof(dst));
		(void)rg_str_format(buf, RG_FLOW_SIZE, "%s %s > %s",
				    rg_name_proto(ev->proto, proto), src, dst);
		return buf;
	}
	if (ev->header_bytes < ETHERNET_BYTES) {
		(void)rg_str_copy(buf, RG_FLOW_SIZE, "frame without an Ethernet header");
		return buf;
	}
	(void)rg_str_format(buf, RG_FLOW_SIZE, "ethertype 0x%04x %s > %s", ev->ethertype,
			    rg_mac_format(ev->header + RG_MAC_LEN, smac),
			    rg_mac_format(ev->header, dmac));
	return buf;
}

/* People get the local time of day, programs the date and UTC. */
static void time_text(uint64_t wall_ns, bool people, char *buf, size_t size)
{
	time_t s = (time_t)(wall_ns / NS_PER_S);
	char date[32] = "";
	struct tm tm;

	if (people && localtime_r(&s, &tm))
		(void)strftime(date, sizeof(date), "%H:%M:%S", &tm);
	else if (gmtime_r(&s, &tm))
		(void)strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	(void)rg_str_format(buf, size, "%s.%06u%s", date, (unsigned int)(wall_ns % NS_PER_S / 1000),
			    people ? "" : "Z");
}

char *rg_event_line(const struct rg_event *ev, const struct rg_event_names *names, uint64_t wall_ns,
		    char *buf, size_t size)
{
	char when[48], who[RG_WHO_SIZE], flow[RG_FLOW_SIZE], more[48] = "";
	char *p;

	time_text(wall_ns, true, when, sizeof(when));
	(void)rg_who_text(names, who);
	(void)rg_event_flow(ev, flow);
	if (ev->suppressed)
		(void)rg_str_format(more, sizeof(more), ", %u more not shown", ev->suppressed);
	(void)rg_str_format(buf, size, "%s %s %s %s: %s, %u bytes, %s%s%s", when,
			    names->rail[0] ? names->rail : "?", who, rg_reason_label(ev->reason),
			    flow, ev->frame_bytes, rg_name_hook(ev->hook), more,
			    ev->flags & RG_EVENT_AUDIT ? ", audit: passed" : "");
	/* Names come from outside: none may steer the terminal. */
	for (p = buf; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return buf;
}

static void record_flow(struct rg_out *out, const struct rg_event *ev)
{
	char text[RG_ADDR_STR_LEN];
	struct rg_addr a;

	if (!has_addresses(ev)) {
		rg_out_absent(out, "src", NULL);
		rg_out_absent(out, "dst", NULL);
		return;
	}
	memcpy(a.b, ev->saddr, sizeof(a.b));
	rg_out_str(out, "src", NULL, rg_addr_format(&a, text));
	memcpy(a.b, ev->daddr, sizeof(a.b));
	rg_out_str(out, "dst", NULL, rg_addr_format(&a, text));
	rg_out_u64(out, "proto", NULL, ev->proto, NULL);
	rg_out_u64(out, "src_port", NULL, ev->sport, NULL);
	rg_out_u64(out, "dst_port", NULL, ev->dport, NULL);
}

static void record_header(struct rg_out *out, const struct rg_event *ev)
{
	char smac[RG_MAC_STR_LEN], dmac[RG_MAC_STR_LEN];
	char hex[2 * RG_EVENT_HEADER_BYTES + 1] = "";
	size_t i, n = RG_EVENT_HEADER_BYTES;

	if (ev->header_bytes < n)
		n = ev->header_bytes;
	for (i = 0; i < n; i++)
		(void)rg_str_format(hex + 2 * i, 3, "%02x", ev->header[i]);
	if (n >= ETHERNET_BYTES) {
		rg_out_str(out, "src_mac", NULL, rg_mac_format(ev->header + RG_MAC_LEN, smac));
		rg_out_str(out, "dst_mac", NULL, rg_mac_format(ev->header, dmac));
	}
	rg_out_u64(out, "ethertype", NULL, ev->ethertype, NULL);
	rg_out_str(out, "header", NULL, hex);
}

void rg_event_record(struct rg_out *out, const struct rg_event *ev,
		     const struct rg_event_names *names, uint64_t wall_ns)
{
	char when[48];

	time_text(wall_ns, false, when, sizeof(when));
	rg_out_record(out);
	rg_out_str(out, "time", NULL, when);
	rg_out_str(out, "rail", NULL, names->rail);
	rg_out_str(out, "namespace", NULL, names->pod_namespace);
	rg_out_str(out, "pod", NULL, names->pod_name);
	rg_out_str(out, "ifname", NULL, names->ifname);
	rg_out_u64(out, "slot", NULL, ev->slot, NULL);
	rg_out_str(out, "reason", NULL, rg_reason_label(ev->reason));
	rg_out_u64(out, "reason_number", NULL, ev->reason, NULL);
	rg_out_str(out, "hook", NULL, rg_name_hook(ev->hook));
	rg_out_u64(out, "ifindex", NULL, ev->ifindex, NULL);
	rg_out_bool(out, "audit", NULL, ev->flags & RG_EVENT_AUDIT);
	rg_out_u64(out, "frame_bytes", NULL, ev->frame_bytes, NULL);
	rg_out_u64(out, "suppressed", NULL, ev->suppressed, NULL);
	record_flow(out, ev);
	record_header(out, ev);
	rg_out_record_end(out);
}
