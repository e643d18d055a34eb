/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the policy in force would do with a frame, without touching anything that is in force.
 *
 * The kernel can run a loaded program on a frame of ours (BPF_PROG_TEST_RUN), but the program
 * would count it, report it and take it from the sender's rate limit. So a second instance of the
 * programs is loaded, with maps of its own that hold a copy of the policy, the identities and the
 * endpoints of the pinned ones. It is not pinned and not attached, and is gone with the process.
 * That it is the same code is checked: the kernel gives every program a tag over its instructions.
 *
 * Kernels run a program on a frame of about 3.7 KiB at most this way. A longer one is sent through
 * the same programs on the loopback device of a new network namespace, which the process enters
 * for good: do not use this in a process that needs its namespace afterwards.
 */
#ifndef RG_BPF_EXPLAIN_H
#define RG_BPF_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <railgate/counters.h>
#include <railgate/event.h>

struct rg_err;
struct rg_explain;
struct rg_maps;
struct rg_policy;

/**
 * struct rg_explain_result - what became of a frame
 * @passed: whether it goes on
 * @reason: enum rg_reason; unlike RG_REASON_PASS with @passed in the modes audit and off
 * @mode: enum rg_mode that applies to the sender
 * @known: whether the sender's MAC belongs to an endpoint
 * @ident_flags: RG_IDENT_* of that endpoint
 * @slot: endpoint that it is counted for: the sender if it is one of the rail's, else the receiver
 * @tx: what is counted as sent
 * @rx: what is counted as received
 */
struct rg_explain_result {
	bool passed;
	uint32_t reason;
	uint8_t mode;
	bool known;
	uint32_t ident_flags;
	uint32_t slot;
	struct rg_dir tx;
	struct rg_dir rx;
};

/**
 * rg_explain_open() - load the second instance
 * @maps: pinned maps
 * @ret: instance; the caller frees it with rg_explain_close()
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_explain_open(const struct rg_maps *maps, struct rg_explain **ret, struct rg_err *err);

/**
 * rg_explain_close() - unload it
 * @ex: instance or NULL
 */
void rg_explain_close(struct rg_explain *ex);

/**
 * rg_explain_close_ptr() - for _cleanup_(rg_explain_close_ptr)
 * @ex: where the pointer is
 */
void rg_explain_close_ptr(struct rg_explain **ex);

/**
 * rg_explain_policy() - policy that was copied, as it is in force
 * @ex: instance, which keeps owning it
 */
const struct rg_policy *rg_explain_policy(const struct rg_explain *ex);

/**
 * rg_explain_same() - whether the pinned program of a hook is the one that is run here
 * @pin_dir: the railgate folder in a bpffs
 * @ex: instance
 * @hook: hook
 *
 * Return: 1 or 0, or -errno if the pinned one cannot be asked
 */
int rg_explain_same(const char *pin_dir, const struct rg_explain *ex, enum rg_hook hook);

/**
 * rg_explain_run() - run a frame
 * @ex: instance
 * @hook: hook that it passes
 * @slot: rail number at a rail's hook, endpoint slot at a pod's
 * @data: frame from the destination MAC on
 * @len: bytes at @data
 * @ret: written only on success
 * @err: sentence
 *
 * Whether a socket made a RoCE packet (kernelRoce "deny") cannot be told from a frame; it is
 * judged as if the RDMA stack had made it. Rate limits see each frame as the first.
 *
 * Return: 0, -EMSGSIZE if @data is no frame or too long, or another -errno
 */
int rg_explain_run(struct rg_explain *ex, enum rg_hook hook, uint32_t slot, const uint8_t *data,
		   size_t len, struct rg_explain_result *ret, struct rg_err *err);

#endif /* RG_BPF_EXPLAIN_H */
