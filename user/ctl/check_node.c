// SPDX-License-Identifier: Apache-2.0
/*
 * What pods with RDMA need of the node: memory that may be locked, huge pages, GPU support.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "doctor.h"

#define PROC_FILE_MAX  65536
#define MEMLOCK_REMEDY "set LimitMEMLOCK=infinity for the runtime's unit and restart it"

static const char *const runtimes[] = {"containerd", "crio", "dockerd", "cri-dockerd"};

/* Soft limit of locked memory from a /proc/<pid>/limits file: a text such as "unlimited". */
static int memlock_limit(const char *limits, char *buf, size_t size)
{
	static const char name[] = "Max locked memory";
	const char *line = strstr(limits, name);
	size_t n;

	if (!line)
		return -ENOENT;
	line += sizeof(name) - 1;
	line += strspn(line, " ");
	n = strcspn(line, " \n");
	return rg_str_format(buf, size, "%.*s", (int)n, line);
}

static int look_at_process(struct rg_doctor *d, const char *pid, void *arg)
{
	_cleanup_free_ char *limits = NULL;
	char comm[32], limit[32], path[PATH_MAX];
	bool *seen = arg;
	size_t i;

	if (!isdigit((unsigned char)*pid) ||
	    rg_doctor_read(d, comm, sizeof(comm), "/proc/%s/comm", pid) < 0)
		return 0;
	for (i = 0; i < ARRAY_SIZE(runtimes); i++)
		if (rg_str_equal(comm, runtimes[i]))
			break;
	if (i == ARRAY_SIZE(runtimes))
		return 0;
	rg_doctor_path(d, path, "/proc/%s/limits", pid);
	if (rg_fs_read(AT_FDCWD, path, PROC_FILE_MAX, &limits, NULL) < 0 ||
	    memlock_limit(limits, limit, sizeof(limit)) < 0)
		return 0; /* it ended meanwhile */
	*seen = true;
	if (rg_str_equal(limit, "unlimited"))
		rg_doctor_report(d, RG_LEVEL_OK, comm, NULL,
				 "process %s may lock memory without limit", pid);
	else
		rg_doctor_report(d, RG_LEVEL_PROBLEM, comm, MEMLOCK_REMEDY,
				 "process %s may lock %s bytes, and so may its containers", pid,
				 limit);
	return 0;
}

static void check_memlock(struct rg_doctor *d)
{
	bool seen = false;

	(void)rg_doctor_each(d, "/proc", look_at_process, &seen);
	if (!seen)
		rg_doctor_report(d, RG_LEVEL_INFO, NULL, NULL,
				 "no container runtime is running (containerd, crio, dockerd)");
}

/* Value of a "Name:   123 kB" line. */
static bool meminfo_value(const char *meminfo, const char *name, unsigned long *ret)
{
	const char *line = strstr(meminfo, name);

	if (!line)
		return false;
	*ret = strtoul(line + strlen(name), NULL, 10);
	return true;
}

static void check_hugepages(struct rg_doctor *d)
{
	_cleanup_free_ char *meminfo = NULL;
	unsigned long total, free_pages, kib;
	char path[PATH_MAX];

	rg_doctor_path(d, path, "/proc/meminfo");
	if (rg_fs_read(AT_FDCWD, path, PROC_FILE_MAX, &meminfo, NULL) < 0 ||
	    !meminfo_value(meminfo, "HugePages_Total:", &total) ||
	    !meminfo_value(meminfo, "HugePages_Free:", &free_pages) ||
	    !meminfo_value(meminfo, "Hugepagesize:", &kib)) {
		rg_doctor_report(d, RG_LEVEL_INFO, NULL, NULL, "the kernel has no huge pages");
		return;
	}
	rg_doctor_report(d, RG_LEVEL_INFO, NULL, NULL, "%lu of %lu huge pages of %lu KiB are free",
			 free_pages, total, kib);
}

static void check_gpu(struct rg_doctor *d)
{
	char version[256] = "";

	if (!rg_doctor_exists(d, "/sys/module/nvidia")) {
		rg_doctor_report(d, RG_LEVEL_INFO, NULL, NULL, "no NVIDIA driver is loaded");
		return;
	}
	(void)rg_doctor_read(d, version, sizeof(version), "/proc/driver/nvidia/version");
	if (rg_doctor_exists(d, "/sys/module/nvidia_peermem"))
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "nvidia_peermem is loaded");
	else if (strstr(version, "Open Kernel Module"))
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL,
				 "the open NVIDIA driver exports GPU memory by dma-buf");
	else
		rg_doctor_report(d, RG_LEVEL_WARNING, NULL,
				 "modprobe nvidia_peermem, or use the open driver with dma-buf",
				 "the NVIDIA driver is loaded without nvidia_peermem");
}

const struct rg_check rg_checks_node[] = {
	{"node.memlock",
	 "RDMA pins the memory it uses; with a limit ibv_reg_mr() fails with ENOMEM in the pod",
	 false, check_memlock},
	{"node.hugepages", "big buffers register faster in huge pages", false, check_hugepages},
	{"node.gpu", "GPUDirect lets the NIC read and write GPU memory without a copy", false,
	 check_gpu},
	{0},
};
