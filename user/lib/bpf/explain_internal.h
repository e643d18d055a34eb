/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the parts of explain meet. Only for user/lib/bpf.
 */
#ifndef RG_BPF_EXPLAIN_INTERNAL_H
#define RG_BPF_EXPLAIN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <railgate/abi.h>
#include <railgate/event.h>

struct railgate_bpf;
struct rg_err;
struct rg_maps;
struct rg_policy;

/**
 * struct rg_explain_live - a device of its own to send frames through
 * @sock: packet socket, negative until one is needed
 * @prog: main program that is attached
 * @slot: slot that its entry program holds
 */
struct rg_explain_live {
	int sock;
	enum rg_prog prog;
	uint32_t slot;
};

/**
 * struct rg_explain - the second instance
 * @skel: its programs
 * @maps: its maps
 * @policy: policy that was copied, as it is in force
 * @live: for long frames
 */
struct rg_explain {
	struct railgate_bpf *skel;
	struct rg_maps *maps;
	struct rg_policy *policy;
	struct rg_explain_live live;
};

/**
 * rg_explain_prog() - main program of a hook
 * @hook: hook
 */
enum rg_prog rg_explain_prog(enum rg_hook hook);

/**
 * rg_explain_prog_fd() - the instance's own main program
 * @ex: instance, which keeps owning it
 * @prog: which
 */
int rg_explain_prog_fd(const struct rg_explain *ex, enum rg_prog prog);

/**
 * rg_explain_live_send() - send a frame through a sending hook
 * @live: device, made when it is first needed
 * @progs_fd: program array with the instance's own programs
 * @prog: main program
 * @slot: slot
 * @data: frame
 * @len: bytes at @data
 * @ret_passed: whether it went through
 * @err: sentence
 *
 * The device is the loopback of a new network namespace, which the process enters for good. So
 * nothing leaves the process, and what the frame does there concerns nobody.
 *
 * Return: 0 or -errno
 */
int rg_explain_live_send(struct rg_explain_live *live, int progs_fd, enum rg_prog prog,
			 uint32_t slot, const uint8_t *data, size_t len, bool *ret_passed,
			 struct rg_err *err);

/**
 * rg_explain_live_done() - close what was opened
 * @live: device
 */
void rg_explain_live_done(struct rg_explain_live *live);

#endif /* RG_BPF_EXPLAIN_INTERNAL_H */
