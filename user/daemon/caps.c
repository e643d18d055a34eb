// SPDX-License-Identifier: Apache-2.0
/*
 * Giving up capabilities.
 */
#include <errno.h>
#include <sys/capability.h>
#include <sys/prctl.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "daemon/caps.h"

static const cap_value_t kept[] = {CAP_BPF, CAP_NET_ADMIN, CAP_PERFMON, CAP_DAC_READ_SEARCH,
				   CAP_SYS_ADMIN};

static void cap_free_ptr(cap_t *caps)
{
	if (*caps)
		(void)cap_free(*caps);
}

static int keep_if_had(cap_t had, cap_t caps, cap_value_t cap)
{
	cap_flag_value_t value = CAP_CLEAR;

	if (cap_get_flag(had, cap, CAP_PERMITTED, &value) < 0)
		return -errno;
	if (value == CAP_CLEAR)
		return 0;
	if (cap_set_flag(caps, CAP_PERMITTED, 1, &cap, CAP_SET) < 0 ||
	    cap_set_flag(caps, CAP_EFFECTIVE, 1, &cap, CAP_SET) < 0)
		return -errno;
	return 0;
}

int rg_caps_drop(bool admin, struct rg_err *err)
{
	_cleanup_(cap_free_ptr) cap_t had = cap_get_proc(), caps = cap_init();
	size_t n = ARRAY_SIZE(kept) - (admin ? 0 : 1);
	int r = 0;

	if (!had || !caps)
		return rg_err_errno(err, -errno, "cannot read the process's capabilities");
	for (size_t i = 0; r == 0 && i < n; i++)
		r = keep_if_had(had, caps, kept[i]);
	if (r == 0 && cap_set_proc(caps) < 0)
		r = -errno;
	if (r == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		r = -errno;
	return r < 0 ? rg_err_errno(err, r, "cannot give up capabilities") : 0;
}
