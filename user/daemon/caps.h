/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Giving up capabilities.
 */
#ifndef RG_DAEMON_CAPS_H
#define RG_DAEMON_CAPS_H

#include <stdbool.h>

struct rg_err;

/**
 * rg_caps_drop() - keep only the capabilities that the agent needs
 * @admin: keep CAP_SYS_ADMIN
 * @err: sentence
 *
 * Kept, of those that the process has:
 * CAP_BPF: open and change maps and programs.
 * CAP_NET_ADMIN: attach to network devices, ask what is attached.
 * CAP_PERFMON: load programs whose verification needs it, at a change of maxEndpoints.
 * CAP_DAC_READ_SEARCH: read state files and namespaces that belong to others.
 * CAP_SYS_ADMIN, while starting (open maps by number, mount a bpffs) and for as long as hooks are
 * clsact filters: those inside pods are repaired by entering the pod's network namespace.
 *
 * Nothing that the agent executes, which is nothing today, gets any back.
 *
 * Return: 0 or -errno
 */
int rg_caps_drop(bool admin, struct rg_err *err);

#endif /* RG_DAEMON_CAPS_H */
