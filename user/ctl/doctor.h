/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the checks of railctl doctor share.
 *
 * A check looks at one thing and reports what it found, for each rail where there are several.
 * Checks of one subject form a group, check_<group>.c; a new group is one file and one line in
 * cmd_doctor.c. Everything that is read from /sys, /proc, /etc and /dev is read below a root that
 * tests and people with a copy of another node's trees can move; what only the running kernel can
 * answer is skipped then.
 */
#ifndef RG_CTL_DOCTOR_H
#define RG_CTL_DOCTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rg_conf;
struct rg_ctl;
struct rg_doctor;
struct rg_err;
struct rg_link;
struct rg_rail_dev;

/* Worst last: the order decides the exit code. */
enum rg_level {
	RG_LEVEL_OK,
	RG_LEVEL_INFO,	  /* worth knowing, nothing to do */
	RG_LEVEL_SKIPPED, /* could not be looked at, the text says why */
	RG_LEVEL_WARNING, /* works, but not as well or not for ever */
	RG_LEVEL_PROBLEM, /* something does not work */
};

/**
 * struct rg_finding - what a check found
 * @check: "group.name"
 * @subject: rail or device, empty for the node
 * @level: how bad
 * @found: sentence
 * @why: why it matters
 * @remedy: what to do, empty if nothing
 */
struct rg_finding {
	const char *check;
	char subject[64];
	enum rg_level level;
	char found[400];
	const char *why;
	char remedy[300];
};

/**
 * struct rg_check - one check
 * @id: "group.name", NULL ends a group
 * @why: why it matters
 * @live: only the running kernel can answer, so it is skipped under another root
 * @run: does it
 */
struct rg_check {
	const char *id;
	const char *why;
	bool live;
	void (*run)(struct rg_doctor *d);
};

/**
 * struct rg_doctor - one examination
 * @ctl: places
 * @root: empty, or the directory that holds sys, proc, etc, dev of another node
 * @conf: configuration, NULL if there is no valid one
 * @conf_error: why not
 * @links: netdevs of the host
 * @n_links: number of @links
 * @rails: netdevs of @conf's rails, in its order
 * @n_rails: number of @rails, 0 without @conf
 * @check: check that runs
 * @findings: what was found
 * @n_findings: number of @findings
 * @failed: -errno if a finding was lost
 */
struct rg_doctor {
	const struct rg_ctl *ctl;
	const char *root;
	struct rg_conf *conf;
	char conf_error[512];
	struct rg_link *links;
	size_t n_links;
	struct rg_rail_dev *rails;
	size_t n_rails;
	const struct rg_check *check;
	struct rg_finding *findings;
	size_t n_findings;
	int failed;
};

/**
 * rg_doctor_report() - report what the running check found
 * @d: examination
 * @level: how bad
 * @subject: rail or device, NULL for the node
 * @remedy: what to do, NULL if nothing
 * @fmt: sentence
 */
void rg_doctor_report(struct rg_doctor *d, enum rg_level level, const char *subject,
		      const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/**
 * rg_doctor_gather() - read the configuration and find the rails' netdevs
 * @d: examination with @ctl and @root set
 * @err: sentence
 *
 * Return: 0, also without a valid configuration, or -errno
 */
int rg_doctor_gather(struct rg_doctor *d, struct rg_err *err);

/**
 * rg_doctor_run() - run the checks of a group
 * @d: examination
 * @group: checks, ended by one without id
 */
void rg_doctor_run(struct rg_doctor *d, const struct rg_check *group);

/**
 * rg_doctor_done() - free what an examination holds
 * @d: examination
 */
void rg_doctor_done(struct rg_doctor *d);

/**
 * rg_doctor_worst() - worst level found
 * @d: examination
 *
 * Skipped checks do not count: they say nothing about the node.
 */
enum rg_level rg_doctor_worst(const struct rg_doctor *d);

/**
 * rg_doctor_path() - path below the root
 * @d: examination
 * @buf: path
 * @fmt: absolute path on the node
 *
 * Return: @buf; empty if it does not fit, which no file has
 */
char *rg_doctor_path(const struct rg_doctor *d, char buf[PATH_MAX], const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * rg_doctor_read() - first line of a file below the root
 * @d: examination
 * @buf: line
 * @size: bytes at @buf
 * @fmt: absolute path on the node
 *
 * Return: 0 or -errno
 */
int rg_doctor_read(const struct rg_doctor *d, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/**
 * rg_doctor_read_u64() - number in a file below the root
 * @d: examination
 * @ret: number
 * @fmt: absolute path on the node
 *
 * Return: 0 or -errno
 */
int rg_doctor_read_u64(const struct rg_doctor *d, uint64_t *ret, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * rg_doctor_exists() - whether a path below the root exists
 * @d: examination
 * @fmt: absolute path on the node
 */
bool rg_doctor_exists(const struct rg_doctor *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * typedef rg_doctor_entry - called for each entry of a directory
 * @d: examination
 * @name: entry, without "." and ".."
 * @arg: caller's
 *
 * Return: 0 to go on, other values stop
 */
typedef int (*rg_doctor_entry)(struct rg_doctor *d, const char *name, void *arg);

/**
 * rg_doctor_each() - walk over a directory below the root in alphabetical order
 * @d: examination
 * @dir: absolute path on the node
 * @fn: called for each entry
 * @arg: passed to @fn
 *
 * Return: 0, what @fn stopped with, or -errno
 */
int rg_doctor_each(struct rg_doctor *d, const char *dir, rg_doctor_entry fn, void *arg);

extern const struct rg_check rg_checks_kernel[];
extern const struct rg_check rg_checks_guard[];
extern const struct rg_check rg_checks_rails[];
extern const struct rg_check rg_checks_rdma[];
extern const struct rg_check rg_checks_routes[];
extern const struct rg_check rg_checks_foreign[];
extern const struct rg_check rg_checks_node[];
extern const struct rg_check rg_checks_pci[];

#endif /* RG_CTL_DOCTOR_H */
