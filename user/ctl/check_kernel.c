// SPDX-License-Identifier: Apache-2.0
/*
 * What the kernel must offer: BPF file system, BTF, TCX, JIT.
 */
#define _GNU_SOURCE /* getmntent_r */
#include <errno.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "bpf/probe.h"
#include "ctl.h"
#include "doctor.h"

#define BPFFS_REMEDY "mount -t bpf bpf /sys/fs/bpf, and keep it in /etc/fstab"

/* Length of a mount point if it holds the path, -1 if not. */
static int covers(const char *mount, const char *path)
{
	size_t len = strlen(mount);

	if (rg_str_equal(mount, "/"))
		return 0;
	if (strncmp(mount, path, len) != 0 || (path[len] && path[len] != '/'))
		return -1;
	return (int)len;
}

static void check_bpffs(struct rg_doctor *d)
{
	_cleanup_fclose_ FILE *f = NULL;
	char path[PATH_MAX], line[1024], type[64] = "", where[256] = "";
	struct mntent m;
	int best = -1;

	f = fopen(rg_doctor_path(d, path, "/proc/mounts"), "re");
	if (!f) {
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL, "cannot read %s: %s", path,
				 strerror(errno));
		return;
	}
	/* The last of several mounts on one place is the one that is seen. */
	while (getmntent_r(f, &m, line, sizeof(line))) {
		int len = covers(m.mnt_dir, d->ctl->pin_dir);

		if (len < best)
			continue;
		best = len;
		(void)rg_str_copy(type, sizeof(type), m.mnt_type);
		(void)rg_str_copy(where, sizeof(where), m.mnt_dir);
	}
	if (rg_str_equal(type, "bpf"))
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "%s lies in the BPF file system %s",
				 d->ctl->pin_dir, where);
	else
		rg_doctor_report(d, RG_LEVEL_PROBLEM, NULL, BPFFS_REMEDY,
				 "%s lies in no BPF file system (%s is %s)", d->ctl->pin_dir,
				 *where ? where : "/", *type ? type : "unknown");
}

static void check_btf(struct rg_doctor *d)
{
	if (rg_doctor_exists(d, "/sys/kernel/btf/vmlinux"))
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "the kernel describes its types");
	else
		rg_doctor_report(d, RG_LEVEL_PROBLEM, NULL,
				 "boot a kernel with CONFIG_DEBUG_INFO_BTF=y (every current "
				 "distribution's has it)",
				 "/sys/kernel/btf/vmlinux is missing");
}

static void check_tcx(struct rg_doctor *d)
{
	unsigned long major, minor;
	char release[128], *dot;

	if (rg_doctor_read(d, release, sizeof(release), "/proc/sys/kernel/osrelease") < 0) {
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL,
				 "cannot read the kernel's version");
		return;
	}
	major = strtoul(release, &dot, 10);
	minor = *dot == '.' ? strtoul(dot + 1, NULL, 10) : 0;
	if (major > 6 || (major == 6 && minor >= 6))
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "Linux %s has TCX", release);
	else
		rg_doctor_report(
			d, RG_LEVEL_WARNING, NULL, "use Linux 6.6 or newer where you can",
			"Linux %s is older than 6.6: clsact filters are used, which anyone "
			"with CAP_NET_ADMIN in the namespace can delete",
			release);
}

/* The setting is only there in the host's first network namespace; a program knows too. */
static int ask_jit(struct rg_doctor *d)
{
	uint64_t on;

	if (rg_doctor_read_u64(d, &on, "/proc/sys/net/core/bpf_jit_enable") == 0)
		return on > 0;
	return *d->root ? -ENOENT : rg_probe_jit();
}

static void check_jit(struct rg_doctor *d)
{
	int on = ask_jit(d);

	if (on < 0)
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL,
				 "net.core.bpf_jit_enable is missing, and no program can be asked");
	else if (!on)
		rg_doctor_report(d, RG_LEVEL_WARNING, NULL, "sysctl -w net.core.bpf_jit_enable=1",
				 "BPF programs are interpreted");
	else
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "BPF programs are compiled");
}

const struct rg_check rg_checks_kernel[] = {
	{"kernel.bpffs", "pins keep policy and counters while the agent is away", false,
	 check_bpffs},
	{"kernel.btf", "the programs adapt to the kernel by its type information", false,
	 check_btf},
	{"kernel.tcx", "a TCX link cannot be deleted by a pod and keeps its place in the chain",
	 false, check_tcx},
	{"kernel.jit", "an interpreted program costs many times as much for each packet", false,
	 check_jit},
	{0},
};
