/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the policy in force differs from the configuration file.
 */
#ifndef RG_CTL_POLICY_DIFF_H
#define RG_CTL_POLICY_DIFF_H

#include <stddef.h>

struct rg_conf;
struct rg_policy;
struct rg_rail;

#define RG_POLICY_TEXT_SIZE 2048

/**
 * struct rg_policy_difference - one difference
 * @rail: rail, empty for the node
 * @key: key of the configuration file
 * @in_force: value in the maps
 * @file: value in the file
 */
struct rg_policy_difference {
	const char *rail;
	const char *key;
	const char *in_force;
	const char *file;
};

/**
 * typedef rg_policy_difference_fn - called for each difference
 * @difference: valid during the call
 * @arg: caller's
 */
typedef void (*rg_policy_difference_fn)(const struct rg_policy_difference *difference, void *arg);

/**
 * rg_policy_compare() - find the differences
 * @policy: in force
 * @conf: file
 * @fn: called for each difference
 * @arg: passed to @fn
 *
 * Return: number of differences
 */
size_t rg_policy_compare(const struct rg_policy *policy, const struct rg_conf *conf,
			 rg_policy_difference_fn fn, void *arg);

/**
 * rg_policy_cidrs_text() - networks of a scope
 * @policy: policy in force
 * @scope: RG_SCOPE_*
 * @buf: "172.16.0.0/16, fd00:16::/48", or "none"
 * @size: bytes at @buf
 *
 * Return: @buf
 */
char *rg_policy_cidrs_text(const struct rg_policy *policy, unsigned int scope, char *buf,
			   size_t size);

/**
 * rg_policy_vlans_text() - VLANs of a rail
 * @rail: rail
 * @buf: "100, 200", or "none"
 * @size: bytes at @buf
 *
 * Return: @buf
 */
char *rg_policy_vlans_text(const struct rg_rail *rail, char *buf, size_t size);

/**
 * rg_policy_allows_text() - exceptions of a rail
 * @rail: rail
 * @buf: exceptions with "; " between, or "none"
 * @size: bytes at @buf
 *
 * Return: @buf
 */
char *rg_policy_allows_text(const struct rg_rail *rail, char *buf, size_t size);

#endif /* RG_CTL_POLICY_DIFF_H */
