/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the two ways of attaching share. Only for user/lib/bpf.
 */
#ifndef RG_BPF_ATTACH_INTERNAL_H
#define RG_BPF_ATTACH_INTERNAL_H

#include "bpf/attach.h"
#include "bpf/entry.h"
#include "bpf/tcx.h"

/**
 * struct rg_hook_pin - what the pin of a hook leads to
 * @fd: link or program, negative without a pin
 * @is_link: TCX link, or else a program
 * @link: the link
 * @prog_id: the program
 */
struct rg_hook_pin {
	int fd;
	bool is_link;
	struct rg_tcx_link link;
	uint32_t prog_id;
};

/**
 * rg_hook_attach_type() - TCX attach type of a hook's direction
 * @hook: hook
 */
uint32_t rg_hook_attach_type(const struct rg_hook *hook);

/**
 * rg_hook_pin_replace() - put a pin in the place of the one that is there, if any, in one step
 * @hook: hook
 * @fd: link or program
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_hook_pin_replace(const struct rg_hook *hook, int fd, struct rg_err *err);

/**
 * rg_hook_drop_filters() - remove the filters of a predecessor, which outlive their pin
 * @hook: hook
 * @pin: what its pin led to before
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_hook_drop_filters(const struct rg_hook *hook, const struct rg_hook_pin *pin,
			 struct rg_err *err);

/**
 * rg_hook_tcx_ensure() - rg_hook_attach() with TCX
 * @hook: hook
 * @pin: what its pin leads to
 * @err: sentence
 *
 * Return: enum rg_hook_change, or -errno
 */
int rg_hook_tcx_ensure(const struct rg_hook *hook, const struct rg_hook_pin *pin,
		       struct rg_err *err);

/**
 * rg_hook_tcx_query() - rg_hook_query() with TCX
 * @hook: hook
 * @pin: what its pin leads to
 * @ret: zeroed
 *
 * Return: 0 or -errno
 */
int rg_hook_tcx_query(const struct rg_hook *hook, const struct rg_hook_pin *pin,
		      struct rg_hook_state *ret);

/**
 * rg_hook_clsact_ensure() - rg_hook_attach() with clsact filters
 * @hook: hook
 * @pin: what its pin leads to
 * @err: sentence
 *
 * Return: enum rg_hook_change, or -errno
 */
int rg_hook_clsact_ensure(const struct rg_hook *hook, const struct rg_hook_pin *pin,
			  struct rg_err *err);

/**
 * rg_hook_clsact_query() - rg_hook_query() with clsact filters
 * @hook: hook
 * @pin: what its pin leads to
 * @ret: zeroed
 *
 * Return: 0 or -errno
 */
int rg_hook_clsact_query(const struct rg_hook *hook, const struct rg_hook_pin *pin,
			 struct rg_hook_state *ret);

/**
 * rg_hook_new_mark() - a mark by which a hook and its successor share packets
 * @ret: RG_MARK_SET
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_hook_new_mark(struct rg_mark *ret, struct rg_err *err);

#endif /* RG_BPF_ATTACH_INTERNAL_H */
