// SPDX-License-Identifier: Apache-2.0
/*
 * What the checks of railctl doctor share: findings, and files below the root.
 */
#define _GNU_SOURCE /* versionsort */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "doctor.h"

void rg_doctor_report(struct rg_doctor *d, enum rg_level level, const char *subject,
		      const char *remedy, const char *fmt, ...)
{
	struct rg_finding *f;
	va_list ap;

	f = reallocarray(d->findings, d->n_findings + 1, sizeof(*f));
	if (!f) {
		d->failed = -ENOMEM;
		return;
	}
	d->findings = f;
	f = &d->findings[d->n_findings++];
	memset(f, 0, sizeof(*f));
	f->check = d->check->id;
	f->why = d->check->why;
	f->level = level;
	(void)rg_str_copy(f->subject, sizeof(f->subject), subject ? subject : "");
	(void)rg_str_copy(f->remedy, sizeof(f->remedy), remedy ? remedy : "");
	va_start(ap, fmt);
	(void)vsnprintf(f->found, sizeof(f->found), fmt, ap);
	va_end(ap);
}

void rg_doctor_run(struct rg_doctor *d, const struct rg_check *group)
{
	for (d->check = group; d->check->id; d->check++) {
		size_t before = d->n_findings;

		if (d->check->live && *d->root)
			rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL,
					 "only the running kernel can tell; not asked with --root");
		else
			d->check->run(d);
		if (d->n_findings == before)
			rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL,
					 "no rail has what this looks at");
	}
	d->check = NULL;
}

void rg_doctor_done(struct rg_doctor *d)
{
	free(TAKE_PTR(d->conf));
	free(TAKE_PTR(d->links));
	free(TAKE_PTR(d->rails));
	free(TAKE_PTR(d->findings));
}

enum rg_level rg_doctor_worst(const struct rg_doctor *d)
{
	enum rg_level worst = RG_LEVEL_OK;
	size_t i;

	for (i = 0; i < d->n_findings; i++)
		if (d->findings[i].level != RG_LEVEL_SKIPPED && d->findings[i].level > worst)
			worst = d->findings[i].level;
	return worst;
}

static char *make_path(const struct rg_doctor *d, char buf[PATH_MAX], const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

static char *make_path(const struct rg_doctor *d, char buf[PATH_MAX], const char *fmt, va_list ap)
{
	size_t len = strlen(d->root);
	int n;

	buf[0] = '\0';
	if (rg_str_copy(buf, PATH_MAX, d->root) < 0)
		return buf;
	n = vsnprintf(buf + len, PATH_MAX - len, fmt, ap);
	if (n < 0 || (size_t)n >= PATH_MAX - len)
		buf[0] = '\0';
	return buf;
}

char *rg_doctor_path(const struct rg_doctor *d, char buf[PATH_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)make_path(d, buf, fmt, ap);
	va_end(ap);
	return buf;
}

int rg_doctor_read(const struct rg_doctor *d, char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)make_path(d, path, fmt, ap);
	va_end(ap);
	return rg_fs_read_line(AT_FDCWD, path, buf, size);
}

int rg_doctor_read_u64(const struct rg_doctor *d, uint64_t *ret, const char *fmt, ...)
{
	char path[PATH_MAX], text[32];
	va_list ap;
	int r;

	va_start(ap, fmt);
	(void)make_path(d, path, fmt, ap);
	va_end(ap);
	r = rg_fs_read_line(AT_FDCWD, path, text, sizeof(text));
	return r < 0 ? r : rg_str_u64(text, UINT64_MAX, ret);
}

bool rg_doctor_exists(const struct rg_doctor *d, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)make_path(d, path, fmt, ap);
	va_end(ap);
	return path[0] && access(path, F_OK) == 0;
}

static int visible(const struct dirent *e)
{
	return !rg_str_equal(e->d_name, ".") && !rg_str_equal(e->d_name, "..");
}

int rg_doctor_each(struct rg_doctor *d, const char *dir, rg_doctor_entry fn, void *arg)
{
	struct dirent **entries;
	char path[PATH_MAX];
	int i, n, r = 0;

	n = scandir(rg_doctor_path(d, path, "%s", dir), &entries, visible, versionsort);
	if (n < 0)
		return -errno;
	for (i = 0; i < n; i++) {
		if (!r)
			r = fn(d, entries[i]->d_name, arg);
		free(entries[i]);
	}
	free(entries);
	return r;
}
