/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One record a drop, as long as the endpoint does not have too many of the same kind: a flood must
 * not hide what else goes wrong.
 */
#ifndef RG_BPF_EVENT_H
#define RG_BPF_EVENT_H

#include "lib/account.h"
#include "lib/classify.h"

/* Addresses come from the copy of the header: what was judged need not have got that far. */
static __always_inline void rg_event_addrs(struct rg_event *e)
{
	const __u8 *l3 = e->header + ETH_HLEN;
	__u16 type = (__u16)e->header[12] << 8 | e->header[13];

	if (rg_l2_is_vlan(type)) {
		type = (__u16)l3[2] << 8 | l3[3];
		l3 += RG_VLAN_LEN;
	}
	e->ethertype = type;
	if (type == ETH_P_IP && e->header_bytes >= ETH_HLEN + RG_VLAN_LEN + sizeof(struct iphdr)) {
		e->saddr[10] = e->saddr[11] = e->daddr[10] = e->daddr[11] = 0xff;
		__builtin_memcpy(e->saddr + 12, l3 + 12, 4);
		__builtin_memcpy(e->daddr + 12, l3 + 16, 4);
		e->proto = l3[9];
	} else if (type == ETH_P_IPV6 && e->header_bytes >= 58) {
		__builtin_memcpy(e->saddr, l3 + 8, 16);
		__builtin_memcpy(e->daddr, l3 + 24, 16);
		e->proto = l3[6];
	}
}

/* Ports of the packet, which the policy only looks at where it needs them. */
static __always_inline __u32 rg_event_ports(struct __sk_buff *skb, const struct rg_pkt *p)
{
	__u32 ports = p->ports;

	if (ports || !p->l4 || p->bits & RG_PKT_LATER || p->l4_len < sizeof(ports))
		return ports;
	if (p->proto == IPPROTO_TCP || p->proto == IPPROTO_UDP || p->proto == IPPROTO_SCTP)
		(void)bpf_skb_load_bytes(skb, p->l4, &ports, sizeof(ports));
	return ports;
}

static __always_inline void rg_event_fill(struct __sk_buff *skb, const struct rg_pkt *p,
					  struct rg_event *e)
{
	__u32 len = skb->len, ports = rg_event_ports(skb, p);

	e->time_ns = bpf_ktime_get_ns();
	e->slot = p->slot;
	e->ifindex = skb->ifindex;
	e->frame_bytes = len;
	if (len > RG_EVENT_HEADER_BYTES)
		len = RG_EVENT_HEADER_BYTES;
	if (len >= ETH_HLEN && !bpf_skb_load_bytes(skb, 0, e->header, len))
		e->header_bytes = len;
	rg_event_addrs(e);
	if (p->proto)
		e->proto = p->proto;
	e->sport = bpf_ntohs(ports & 0xffff);
	e->dport = bpf_ntohs(ports >> 16);
	e->rail = p->src.rail;
}

/**
 * rg_event_emit() - report a drop
 * @skb: packet
 * @p: packet; slot is set
 * @what: reason, and from bit 8 on the hook, and from bit 16 on RG_EVENT_* flags
 */
static __always_inline void rg_event_emit(struct __sk_buff *skb, const struct rg_pkt *p,
					  __u32 reason, __u32 hook, __u32 flags)
{
	struct rg_bucket *b = rg_rate_bucket(p->slot, reason);
	struct rg_stats *stats = rg_account_stats();
	struct rg_event *e;

	if (!b || !stats)
		return;
	if (!rg_rate_ok(b, rg_event_interval_ns, rg_event_burst)) {
		__sync_fetch_and_add(&b->suppressed, 1);
		stats->events_limited++;
		return;
	}
	e = bpf_ringbuf_reserve(&rg_events, sizeof(*e), 0);
	if (!e) {
		stats->events_lost++;
		return;
	}
	__builtin_memset(e, 0, sizeof(*e));
	rg_event_fill(skb, p, e);
	e->reason = reason;
	e->hook = hook;
	e->flags = flags;
	e->suppressed = __sync_lock_test_and_set(&b->suppressed, 0);
	bpf_ringbuf_submit(e, 0);
}

#endif /* RG_BPF_EVENT_H */
