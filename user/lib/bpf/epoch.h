/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The programs remember which senders they have recognised, since looking each of them up anew
 * would be the most expensive part of a packet. The epoch tells them to look again.
 */
#ifndef RG_BPF_EPOCH_H
#define RG_BPF_EPOCH_H

struct rg_err;
struct rg_maps;

/**
 * rg_epoch_bump() - let the programs forget whom they have recognised
 * @maps: maps
 * @err: sentence
 *
 * To be called after entries of rg_idents were added, deleted or changed, also if a deletion was
 * only tried: whoever did it before may have been killed in between. Two callers at once may write
 * the same number; both have changed their entries by then, so one step serves both.
 *
 * Return: 0 or -errno
 */
int rg_epoch_bump(const struct rg_maps *maps, struct rg_err *err);

#endif /* RG_BPF_EPOCH_H */
