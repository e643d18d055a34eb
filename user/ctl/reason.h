/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is said about a drop reason: label and meaning from the shared list, and what an operator
 * can do about it.
 */
#ifndef RG_CTL_REASON_H
#define RG_CTL_REASON_H

/**
 * rg_reason_label() - name of a reason as in metrics
 * @reason: enum rg_reason
 *
 * Return: label, "unknown" for a number that this version does not know
 */
const char *rg_reason_label(unsigned int reason);

/**
 * rg_reason_meaning() - what a reason means
 * @reason: enum rg_reason
 */
const char *rg_reason_meaning(unsigned int reason);

/**
 * rg_reason_remedy() - what an operator can do
 * @reason: enum rg_reason
 */
const char *rg_reason_remedy(unsigned int reason);

/**
 * rg_reason_find() - reason by its label or number
 * @text: such as "dst_cidr" or "14"
 *
 * Return: enum rg_reason, or -EINVAL
 */
int rg_reason_find(const char *text);

#endif /* RG_CTL_REASON_H */
