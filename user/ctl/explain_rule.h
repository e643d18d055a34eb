/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rule of the policy decided about a frame, in the words of the configuration.
 */
#ifndef RG_CTL_EXPLAIN_RULE_H
#define RG_CTL_EXPLAIN_RULE_H

#include <stddef.h>

#define RG_RULE_SIZE 512

struct rg_event;
struct rg_explain_result;
struct rg_policy;

/**
 * rg_explain_step() - part of the decision in which a reason arises
 * @reason: enum rg_reason
 *
 * Return: "policy loaded", "layer 2", "identity", "headers", "RoCE", "destination", "rate limit"
 */
const char *rg_explain_step(unsigned int reason);

/**
 * rg_explain_rule() - the rule that decided
 * @policy: in force
 * @rail: rail number
 * @frame: frame as rg_event_of_frame() describes it
 * @result: what the program made of it
 * @buf: sentence
 *
 * Return: @buf
 */
char *rg_explain_rule(const struct rg_policy *policy, unsigned int rail,
		      const struct rg_event *frame, const struct rg_explain_result *result,
		      char buf[RG_RULE_SIZE]);

#endif /* RG_CTL_EXPLAIN_RULE_H */
