/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The three tables of railctl show.
 */
#ifndef RG_CTL_SHOW_H
#define RG_CTL_SHOW_H

struct rg_ctl;
struct rg_maps;
struct rg_policy;
struct rg_snapshot;

/**
 * rg_show_rails() - table of rails: netdev, policy, hooks
 * @ctl: call
 * @policy: in force, NULL if not loaded
 *
 * Return: 0, or -errno with ctl->err set
 */
int rg_show_rails(struct rg_ctl *ctl, const struct rg_policy *policy);

/**
 * rg_show_endpoints() - table of endpoints with their rates
 * @ctl: call
 * @snapshot: endpoints
 */
void rg_show_endpoints(struct rg_ctl *ctl, const struct rg_snapshot *snapshot);

/**
 * rg_show_drops() - table of drops by reason, and what to do about each reason
 * @ctl: call
 * @maps: maps, for the programs' own health
 * @snapshot: endpoints
 */
void rg_show_drops(struct rg_ctl *ctl, const struct rg_maps *maps,
		   const struct rg_snapshot *snapshot);

#endif /* RG_CTL_SHOW_H */
