/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sizes of the pinned maps and of the tables inside their values.
 */
#ifndef RAILGATE_LIMITS_H
#define RAILGATE_LIMITS_H

#define RG_MAX_RAILS  16   /* rails of one node; slots of rg_config's inner array */
#define RG_MAX_CIDRS  1024 /* entries of rg_cidrs, both generations, all scopes */
#define RG_MAX_VLANS  8	   /* VLANs a rail may carry */
#define RG_MAX_ALLOWS 16   /* exceptions ("allow") a rail may carry */

/*
 * Slots index the counter maps. The first RG_MAX_RAILS are the host's own endpoint of each rail,
 * the next RG_MAX_RAILS collect what a rail cannot attribute to anyone, the rest belong to pods.
 */
#define RG_SLOT_HOST(rail)    (rail)
#define RG_SLOT_UNKNOWN(rail) (RG_MAX_RAILS + (rail))
#define RG_SLOT_FIRST_POD     (2 * RG_MAX_RAILS)

/* Slots by default: 110 pods (kubelet's default) on 8 rails and the reserved ones, rounded up. */
#define RG_ENDPOINTS_DEFAULT 1024
#define RG_ENDPOINTS_MIN     64
#define RG_ENDPOINTS_MAX     65536

/* An endpoint is found under its MAC alone and under each of its addresses. */
#define RG_IDENTS_PER_ENDPOINT 4

#define RG_EVENTS_BYTES	       (1 << 20) /* ring buffer, a power of two and of the page size */

#endif /* RAILGATE_LIMITS_H */
