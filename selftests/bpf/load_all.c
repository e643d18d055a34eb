// SPDX-License-Identifier: Apache-2.0
/*
 * Does this kernel's verifier accept every program? Prints how many instructions each one has and
 * how many the verifier looked at. Needs nothing but the kernel, so that it also runs in a small
 * virtual machine.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <railgate/abi.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bed.h"
#include "bpf/entry.h"
#include "railgate.skel.h"
#include "tap.h"

static void report(const char *name, int fd)
{
	struct bpf_prog_info info = {};
	uint32_t len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len) < 0) {
		tap_ok(false, "%s: cannot be queried: %s", name, strerror(errno));
		return;
	}
	tap_ok(info.jited_prog_len > 0, "%s: %u instructions, %u verified, %u bytes of code", name,
	       info.xlated_prog_len / 8, info.verified_insns, info.jited_prog_len);
}

static void load_entries(struct railgate_bpf *skel)
{
	static const char *const names[RG_PROG_IDX_MAX] = {"rail tx", "rail rx", "pod tx",
							   "pod rx"};
	struct rg_err err = {};

	for (int i = 0; i < RG_PROG_IDX_MAX; i++) {
		_cleanup_close_ int fd = -EBADF;

		fd = rg_entry_load(bpf_map__fd(skel->maps.rg_progs), i, 0, &err);
		tap_ok(fd >= 0, "entry program for %s%s%s", names[i], fd < 0 ? ": " : "",
		       fd < 0 ? err.msg : "");
	}
}

int main(void)
{
	struct railgate_bpf *skel;
	struct bpf_program *prog;
	struct utsname host;

	uname(&host);
	tap_note("Linux %s, libbpf %s", host.release, libbpf_version_string());
	bed_quiet();
	skel = railgate_bpf__open_and_load();
	if (!tap_ok(skel, "the verifier accepts all programs%s%s", skel ? "" : ": ",
		    skel ? "" : strerror(errno)))
		return tap_done();
	prog = NULL;
	while ((prog = bpf_object__next_program(skel->obj, prog)))
		report(bpf_program__name(prog), bpf_program__fd(prog));
	load_entries(skel);
	railgate_bpf__destroy(skel);
	return tap_done();
}
