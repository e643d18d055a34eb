/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of other people on the hooks that are ours too.
 */
#ifndef RG_LIVE_FOREIGN_H
#define RG_LIVE_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "world.h"

/* What a foreign program does besides counting. */
enum foreign_kind {
	FOREIGN_RETURN,	  /* returns @arg */
	FOREIGN_VLAN,	  /* tags the packet, in its metadata, with VLAN @arg; lets it go on */
	FOREIGN_REDIRECT, /* sends the packet out of device @arg */
};

#define FOREIGN_NEXT (-1) /* what TCX and clsact call unspecified: the next one decides */
#define FOREIGN_PASS 0	  /* TC_ACT_OK: no other program is asked */
#define FOREIGN_DROP 2	  /* TC_ACT_SHOT */

enum foreign_place {
	FOREIGN_FRONT,	      /* TCX link at the head of the chain */
	FOREIGN_TAIL,	      /* TCX link at its end */
	FOREIGN_FILTER,	      /* clsact filter of priority 10 */
	FOREIGN_FIRST_FILTER, /* clsact filter of priority 1 that comes last and so runs first */
};

/**
 * struct foreign - a program of somebody else
 * @prog: program
 * @map: its counter
 * @link: TCX link
 * @dev: device
 * @egress: direction
 * @place: where
 */
struct foreign {
	int prog;
	int map;
	int link;
	const struct netdev *dev;
	bool egress;
	enum foreign_place place;
};

/**
 * foreign_attach() - load and attach
 * @f: program
 * @dev: device
 * @egress: direction
 * @place: where
 * @kind: what it does
 * @arg: by @kind
 */
void foreign_attach(struct foreign *f, const struct netdev *dev, bool egress,
		    enum foreign_place place, enum foreign_kind kind, int arg);

/**
 * foreign_replace() - put another program in its place, as its owner may at any time
 * @f: program, attached by a link
 * @kind: what the new one does
 * @arg: by @kind
 */
void foreign_replace(struct foreign *f, enum foreign_kind kind, int arg);

/**
 * foreign_count() - packets that it has seen
 * @f: program
 */
uint64_t foreign_count(const struct foreign *f);

/**
 * foreign_detach() - remove
 * @f: program
 */
void foreign_detach(struct foreign *f);

#endif /* RG_LIVE_FOREIGN_H */
