// SPDX-License-Identifier: Apache-2.0
/*
 * The hook on the pod's own interface.
 */
#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/attach.h"
#include "bpf/pin.h"
#include "pod.h"
#include "podhook.h"

int rg_podhook_attach(const struct rg_pod_setup *setup, struct rg_err *err)
{
	char name[RG_PIN_NAME_SIZE];
	const struct rg_hook hook = {
		.pin_dir = setup->pin_dir,
		.name = rg_pin_pod_link_name(setup->slot, "tx", name),
		.progs_fd = setup->progs_fd,
		.prog = RG_PROG_IDX_POD_TX,
		.slot = setup->slot,
		.ifindex = setup->ifindex,
		.tcx = false,
	};
	int r = setup->progs_fd < 0 ? 0 : rg_hook_attach(&hook, err);

	return r < 0 ? r : 0;
}

int rg_podhook_check(const char *pin_dir, uint32_t slot, struct rg_err *err)
{
	_cleanup_close_ int fd = -EBADF;
	char name[RG_PIN_NAME_SIZE];
	int r = rg_pin_open(pin_dir, RG_PIN_KIND_LINK, rg_pin_pod_link_name(slot, "tx", name), &fd,
			    NULL);

	if (r == -EAGAIN)
		return rg_err_set(err, -ENOENT, "the pin '%s' of the pod's own hook is missing",
				  name);
	return r < 0 ? rg_err_errno(err, r, "cannot open pin '%s'", name) : 0;
}

int rg_podhook_remove(const char *pin_dir, uint32_t slot, struct rg_err *err)
{
	char name[RG_PIN_NAME_SIZE];
	int r = rg_pin_remove(pin_dir, RG_PIN_KIND_LINK, rg_pin_pod_link_name(slot, "tx", name));

	return r < 0 ? rg_err_errno(err, r, "cannot remove pin '%s' of a pod's hook", name) : 0;
}
