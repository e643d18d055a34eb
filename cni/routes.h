/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which routes a pod gets through a rail.
 */
#ifndef RG_CNI_ROUTES_H
#define RG_CNI_ROUTES_H

#include "attach.h"

/**
 * rg_routes_plan() - fill in the routes of an attachment
 * @a: attachment with its IPAM result; @a->setup.routes is filled in
 * @f: what is wrong
 *
 * The RDMA CIDRs of the families that the pod has, then what IPAM wants. A default route is left
 * out, since it would lead everything into the fabric.
 *
 * Return: 0 or -errno
 */
int rg_routes_plan(struct rg_attach *a, struct rg_fault *f);

#endif /* RG_CNI_ROUTES_H */
