/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A drop event as a line for people or an object for programs, and which events are wanted.
 */
#ifndef RG_CTL_EVENT_H
#define RG_CTL_EVENT_H

#include <railgate/event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rg_out;

/**
 * struct rg_event_names - whom an event is about
 * @rail: rail's name, empty if not known
 * @pod_namespace: namespace, empty for the host or outside Kubernetes
 * @pod_name: pod, or "host" or "unknown sender"
 * @ifname: interface in the pod, empty if there is none
 */
struct rg_event_names {
	char rail[16];
	char pod_namespace[64];
	char pod_name[64];
	char ifname[16];
};

/**
 * struct rg_event_filter - which events are wanted
 * @reason: enum rg_reason, -1 for all
 * @rail: rail's name, NULL for all
 * @pod: "pod", "namespace/pod" or "namespace/"; NULL for all
 */
struct rg_event_filter {
	int reason;
	const char *rail;
	const char *pod;
};

/**
 * rg_event_wanted() - whether an event passes a filter
 * @filter: filter
 * @ev: event
 * @names: whom it is about
 */
bool rg_event_wanted(const struct rg_event_filter *filter, const struct rg_event *ev,
		     const struct rg_event_names *names);

#define RG_FLOW_SIZE 160

/**
 * rg_event_flow() - the five-tuple, or what is known of a frame whose IP header was not reached
 * @ev: event
 * @buf: such as "udp 172.16.0.10:49152 > 172.16.1.10:4791"
 *
 * Return: @buf
 */
char *rg_event_flow(const struct rg_event *ev, char buf[RG_FLOW_SIZE]);

/**
 * rg_event_of_frame() - describe a frame as a drop event would
 * @data: frame from the destination MAC on
 * @len: bytes at @data
 * @ret: addresses, ports and header; the rest is zero
 *
 * Reads no further than the first fragment's ports and judges nothing.
 */
void rg_event_of_frame(const uint8_t *data, size_t len, struct rg_event *ret);

/**
 * rg_event_line() - an event as one line
 * @ev: event
 * @names: whom it is about
 * @wall_ns: when it happened, CLOCK_REALTIME nanoseconds
 * @buf: line without newline
 * @size: bytes at @buf
 *
 * Return: @buf
 */
char *rg_event_line(const struct rg_event *ev, const struct rg_event_names *names, uint64_t wall_ns,
		    char *buf, size_t size);

/**
 * rg_event_record() - an event as an object
 * @out: document after rg_out_lines()
 * @ev: event
 * @names: whom it is about
 * @wall_ns: when it happened, CLOCK_REALTIME nanoseconds
 */
void rg_event_record(struct rg_out *out, const struct rg_event *ev,
		     const struct rg_event_names *names, uint64_t wall_ns);

#endif /* RG_CTL_EVENT_H */
