/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that free themselves when they leave scope, and how to hand them over.
 */
#ifndef RG_BASE_CLEANUP_H
#define RG_BASE_CLEANUP_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <dirent.h>

#define _cleanup_(f) __attribute__((cleanup(f)))

static inline void rg_free_ptr(void *p)
{
	free(*(void **)p);
}

/* Keeps errno: a failing function often returns -errno after its locals are gone. */
static inline void rg_close_ptr(const int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		(void)close(*fd);
	errno = saved;
}

static inline void rg_fclose_ptr(FILE **f)
{
	if (*f)
		(void)fclose(*f);
}

static inline void rg_closedir_ptr(DIR **d)
{
	if (*d)
		(void)closedir(*d);
}

#define _cleanup_free_	   _cleanup_(rg_free_ptr)
#define _cleanup_close_	   _cleanup_(rg_close_ptr)
#define _cleanup_fclose_   _cleanup_(rg_fclose_ptr)
#define _cleanup_closedir_ _cleanup_(rg_closedir_ptr)

/* TAKE_PTR(p): the value of p, which no longer owns it. */
#define TAKE_PTR(p)                          \
	({                                   \
		__typeof__(p) *rg_pp = &(p); \
		__typeof__(p) rg_v = *rg_pp; \
		*rg_pp = NULL;               \
		rg_v;                        \
	})

#define TAKE_FD(fd)                  \
	({                           \
		int *rg_pfd = &(fd); \
		int rg_fd = *rg_pfd; \
		*rg_pfd = -EBADF;    \
		rg_fd;               \
	})

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif /* RG_BASE_CLEANUP_H */
