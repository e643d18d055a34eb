/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks: an entry program attached to one direction of a device, kept by a pin.
 *
 * With TCX the pin <pin dir>/v<ABI>/links/<name> is the link, which lives as long as the pin and
 * follows the device into another namespace. Without TCX it is the entry program of a clsact
 * filter. Every change attaches the new before it drops the old, and no foreign program is ever
 * removed.
 */
#ifndef RG_BPF_ATTACH_H
#define RG_BPF_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

#include <railgate/abi.h>

struct rg_err;

/**
 * struct rg_hook - a hook as it should be
 * @pin_dir: the railgate folder in a bpffs
 * @name: pin below "links"; see rg_pin_link_name() for those of rails
 * @progs_fd: map rg_progs
 * @prog: main program; those that end in _TX are attached to egress, _RX to ingress
 * @slot: what the entry program tells the main program: rail number or endpoint slot
 * @ifindex: device, in the caller's network namespace
 * @tcx: TCX (rg_probe_tcx()) or clsact
 * @refresh: give an existing hook a new entry program, as a starting agent does
 */
struct rg_hook {
	const char *pin_dir;
	const char *name;
	int progs_fd;
	enum rg_prog prog;
	uint32_t slot;
	int ifindex;
	bool tcx;
	bool refresh;
};

enum rg_hook_change {
	RG_HOOK_KEPT = 0,      /* it was there, in front */
	RG_HOOK_ATTACHED = 1,  /* it was not there */
	RG_HOOK_RENEWED = 2,   /* the device was another one, or the kind of hook has changed */
	RG_HOOK_REPAIRED = 3,  /* someone had deleted it */
	RG_HOOK_RESTORED = 4,  /* someone had put a program in front of it */
	RG_HOOK_REFRESHED = 5, /* it was there and got a new entry program, by @refresh */
};

/**
 * struct rg_hook_state - a hook as it is
 * @attached: whether packets of the device pass our program
 * @position: programs that run before it
 * @behind: programs that run after it, if it lets the packet go on
 */
struct rg_hook_state {
	bool attached;
	uint32_t position;
	uint32_t behind;
};

/**
 * rg_hook_is_egress() - which direction a main program belongs to
 * @prog: main program
 */
bool rg_hook_is_egress(enum rg_prog prog);

/**
 * rg_hook_attach() - make a hook be there, at the head of the chain
 * @hook: hook
 * @err: sentence
 *
 * Idempotent. On failure an existing hook is left as it was.
 *
 * Return: enum rg_hook_change, or -errno
 */
int rg_hook_attach(const struct rg_hook *hook, struct rg_err *err);

/**
 * rg_hook_query() - look at a hook
 * @hook: hook; @progs_fd and @slot are not used
 * @ret: written only on success
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_hook_query(const struct rg_hook *hook, struct rg_hook_state *ret, struct rg_err *err);

/**
 * rg_hook_detach() - remove a hook and its pin
 * @hook: hook; only @pin_dir, @name and @prog are used
 * @err: sentence
 *
 * Return: 0, also if it is not there, or -errno
 */
int rg_hook_detach(const struct rg_hook *hook, struct rg_err *err);

/**
 * rg_hook_device() - what device the link of a hook is on, in whatever namespace
 * @pin_dir: the railgate folder in a bpffs
 * @name: pin below "links"
 * @ret_ifindex: device's number in its namespace, 0 if the device is gone
 *
 * Return: 0, -ENOENT if there is no such pin, -EINVAL if the hook is a clsact filter, which does
 * not know its device, or another -errno
 */
int rg_hook_device(const char *pin_dir, const char *name, uint32_t *ret_ifindex);

#endif /* RG_BPF_ATTACH_H */
