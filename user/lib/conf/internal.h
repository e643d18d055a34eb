/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the parts of the configuration parser meet. Only for user/lib/conf.
 */
#ifndef RG_CONF_INTERNAL_H
#define RG_CONF_INTERNAL_H

#include "conf/conf.h"
#include "conf/schema.h"

/**
 * rg_conf_parse_policy() - read a "policy" object over a policy that is already filled
 * @value: object
 * @path: where it stands
 * @dst: struct rg_conf_policy with the inherited or default values
 * @err: sentence
 *
 * Return: 0 or -EINVAL
 */
int rg_conf_parse_policy(struct json_object *value, const struct rg_path *path, void *dst,
			 struct rg_err *err);

/**
 * rg_conf_parse_rail() - read an element of "rails"
 * @value: object
 * @path: where it stands
 * @rail: destination with the node's policy and the defaults filled in
 * @err: sentence
 *
 * Return: 0 or -EINVAL
 */
int rg_conf_parse_rail(struct json_object *value, const struct rg_path *path,
		       struct rg_conf_rail *rail, struct rg_err *err);

#endif /* RG_CONF_INTERNAL_H */
