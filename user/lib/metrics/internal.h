/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the parts of the export meet. Only for user/lib/metrics.
 */
#ifndef RG_METRICS_INTERNAL_H
#define RG_METRICS_INTERNAL_H

#include "metrics/export.h"

/* Label values of "direction" and "hook"; index 0 is egress. */
extern const char *const rg_metrics_directions[2];

/**
 * rg_metrics_export_endpoints() - write the families of endpoints
 * @view: values; its endpoints are sorted, and those of one pod and rail summed
 * @p: page
 */
void rg_metrics_export_endpoints(struct rg_metrics_view *view, struct rg_prom *p);

#endif /* RG_METRICS_INTERNAL_H */
