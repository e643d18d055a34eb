// SPDX-License-Identifier: Apache-2.0
/*
 * The families whose labels are namespace, pod and rail.
 *
 * A pod may have several interfaces on one rail, and a series must be unique: such endpoints are
 * summed. The host's own endpoint is the pod "(host)", traffic of nobody "(unknown)"; Kubernetes
 * allows no parentheses in names, so neither can be mistaken for a pod.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/inet.h"
#include "metrics/internal.h"
#include "metrics/prom.h"

static const char *const reason_labels[RG_REASON_MAX] = {
#define REASON_LABEL(number, name, label, text) [number] = (label),
	RG_REASONS(REASON_LABEL)
#undef REASON_LABEL
};

static const char *pod_label(const struct rg_endpoint *e)
{
	if (e->kind == RG_KIND_HOST)
		return "(host)";
	if (e->kind == RG_KIND_UNKNOWN)
		return "(unknown)";
	return e->pod_name;
}

static int compare(const void *a, const void *b)
{
	const struct rg_endpoint *x = &((const struct rg_metrics_endpoint *)a)->endpoint;
	const struct rg_endpoint *y = &((const struct rg_metrics_endpoint *)b)->endpoint;
	int c = strcmp(x->pod_namespace, y->pod_namespace);

	if (!c)
		c = strcmp(pod_label(x), pod_label(y));
	return c ? c : strcmp(x->rail_name, y->rail_name);
}

/* The counters are arrays of 64-bit numbers, whatever their names. */
static void add_u64(void *dst, const void *src, size_t bytes)
{
	const uint64_t *s = src;
	uint64_t *d = dst;
	size_t i;

	for (i = 0; i < bytes / sizeof(*d); i++)
		d[i] += s[i];
}

static size_t merge(struct rg_metrics_endpoint *e, size_t n)
{
	size_t i, last = 0;

	if (!n)
		return 0;
	qsort(e, n, sizeof(*e), compare);
	for (i = 1; i < n; i++) {
		if (compare(&e[last], &e[i]) == 0) {
			add_u64(&e[last].counters, &e[i].counters, sizeof(e[i].counters));
			add_u64(&e[last].drops, &e[i].drops, sizeof(e[i].drops));
		} else {
			e[++last] = e[i];
		}
	}
	return last + 1;
}

/* One number of a direction, by its place in struct rg_dir. */
struct dir_family {
	const char *name;
	const char *help;
	size_t offset;
};

#define DIR(field) offsetof(struct rg_dir, field)

static const struct dir_family dir_families[] = {
	{"tc_roce_bytes_total", "RoCEv2 bytes that TC saw, Ethernet header included.",
	 DIR(roce_bytes)},
	{"tc_roce_packets_total", "RoCEv2 packets that TC saw, CNPs included.", DIR(roce_packets)},
	{"tc_roce_cnp_packets_total", "Congestion notification packets that TC saw.",
	 DIR(cnp_packets)},
	{"tc_roce_ecn_ce_packets_total",
	 "RoCEv2 packets marked ECN congestion experienced that TC saw.", DIR(ecn_ce_packets)},
	{"tc_ip_bytes_total", "Bytes of IP packets other than RoCEv2 that TC saw.", DIR(ip_bytes)},
	{"tc_ip_packets_total", "IP packets other than RoCEv2 that TC saw.", DIR(ip_packets)},
	{"tc_l2_packets_total", "ARP, neighbour discovery, MLD and L2 control packets TC saw.",
	 DIR(l2_packets)},
};

static void export_dir(const struct rg_metrics_endpoint *e, size_t n, const struct dir_family *f,
		       struct rg_prom *p)
{
	size_t i, d;

	rg_prom_family(p, f->name, "counter", f->help);
	for (i = 0; i < n; i++) {
		const struct rg_endpoint *ep = &e[i].endpoint;
		const struct rg_dir *dirs[2] = {&e[i].counters.tx, &e[i].counters.rx};

		for (d = 0; d < 2; d++) {
			uint64_t v;

			memcpy(&v, (const char *)dirs[d] + f->offset, sizeof(v));
			rg_prom_u64(p,
				    RG_PROM_LABELS({"namespace", ep->pod_namespace},
						   {"pod", pod_label(ep)}, {"rail", ep->rail_name},
						   {"direction", rg_metrics_directions[d]}),
				    v);
		}
	}
}

static void export_drops(const struct rg_metrics_endpoint *e, size_t n, bool bytes,
			 struct rg_prom *p)
{
	size_t i, r;

	if (bytes)
		rg_prom_family(p, "egress_dropped_bytes_total", "counter",
			       "Bytes that the policy dropped, or in mode audit would have, by "
			       "reason.");
	else
		rg_prom_family(p, "egress_dropped_packets_total", "counter",
			       "Packets that the policy dropped, or in mode audit would have, by "
			       "reason.");
	for (i = 0; i < n; i++) {
		const struct rg_endpoint *ep = &e[i].endpoint;

		for (r = 0; r < RG_REASON_MAX; r++) {
			const struct rg_count *c = &e[i].drops.by_reason[r];

			if (!c->packets || !reason_labels[r])
				continue;
			rg_prom_u64(p,
				    RG_PROM_LABELS({"namespace", ep->pod_namespace},
						   {"pod", pod_label(ep)}, {"rail", ep->rail_name},
						   {"reason", reason_labels[r]}),
				    bytes ? c->bytes : c->packets);
		}
	}
}

static const char *kind_label(uint8_t kind)
{
	switch (kind) {
	case RG_KIND_MACVLAN:
		return "macvlan";
	case RG_KIND_SRIOV:
		return "sriov";
	case RG_KIND_HOST_DEVICE:
		return "host-device";
	case RG_KIND_IB_SRIOV:
		return "ib-sriov";
	case RG_KIND_CHAINED:
		return "chained";
	default:
		return NULL;
	}
}

static void export_attachments(const struct rg_metrics_view *v, struct rg_prom *p)
{
	char mac[RG_MAC_STR_LEN];
	size_t i;

	rg_prom_family(p, "attachment_info", "gauge", "Always 1; an interface of a pod on a rail.");
	for (i = 0; i < v->n_endpoints; i++) {
		const struct rg_endpoint *e = &v->endpoints[i].endpoint;

		if (!kind_label(e->kind) || v->endpoints[i].departed)
			continue;
		rg_prom_u64(p,
			    RG_PROM_LABELS({"namespace", e->pod_namespace}, {"pod", e->pod_name},
					   {"rail", e->rail_name}, {"ifname", e->ifname},
					   {"kind", kind_label(e->kind)},
					   {"mac", rg_mac_format(e->mac, mac)},
					   {"container", e->container_id}),
			    1);
	}
}

void rg_metrics_export_endpoints(struct rg_metrics_view *view, struct rg_prom *p)
{
	size_t i, n;

	export_attachments(view, p);
	n = merge(view->endpoints, view->n_endpoints);
	for (i = 0; i < ARRAY_SIZE(dir_families); i++)
		export_dir(view->endpoints, n, &dir_families[i], p);
	export_drops(view->endpoints, n, false, p);
	export_drops(view->endpoints, n, true, p);
}
