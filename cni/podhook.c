// SPDX-License-Identifier: Apache-2.0
/*
 * The hooks on the pod's own interface.
 */
#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/attach.h"
#include "bpf/pin.h"
#include "pod.h"
#include "podhook.h"

static const struct {
	enum rg_prog prog;
	const char *dir;
} hooks[] = {
	{RG_PROG_IDX_POD_TX, "tx"},
	{RG_PROG_IDX_POD_RX, "rx"},
};

static const char *pin_name(uint32_t slot, const char *dir, char buf[RG_PIN_NAME_SIZE])
{
	(void)rg_str_format(buf, RG_PIN_NAME_SIZE, "pod%u_%s", slot, dir);
	return buf;
}

int rg_podhook_attach(const struct rg_pod_setup *setup, struct rg_err *err)
{
	char name[RG_PIN_NAME_SIZE];
	int r = 0;

	if (setup->progs_fd < 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(hooks) && r >= 0; i++) {
		const struct rg_hook hook = {
			.pin_dir = setup->pin_dir,
			.name = pin_name(setup->slot, hooks[i].dir, name),
			.progs_fd = setup->progs_fd,
			.prog = hooks[i].prog,
			.slot = setup->slot,
			.ifindex = setup->ifindex,
			.tcx = setup->tcx,
		};

		r = rg_hook_attach(&hook, err);
	}
	return r < 0 ? r : 0;
}

int rg_podhook_check(const char *pin_dir, uint32_t slot, int ifindex, struct rg_err *err)
{
	char name[RG_PIN_NAME_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(hooks); i++) {
		_cleanup_close_ int fd = -EBADF;
		int r = rg_pin_open(pin_dir, RG_PIN_KIND_LINK, pin_name(slot, hooks[i].dir, name),
				    &fd, NULL);

		if (r == -EAGAIN)
			return rg_err_set(err, -ENOENT,
					  "the pin '%s' of the hook on device %d is missing", name,
					  ifindex);
		if (r < 0)
			return rg_err_errno(err, r, "cannot open pin '%s'", name);
	}
	return 0;
}

int rg_podhook_remove(const char *pin_dir, uint32_t slot, struct rg_err *err)
{
	char name[RG_PIN_NAME_SIZE];
	int first = 0;

	for (size_t i = 0; i < ARRAY_SIZE(hooks); i++) {
		int r = rg_pin_remove(pin_dir, RG_PIN_KIND_LINK,
				      pin_name(slot, hooks[i].dir, name));

		if (r < 0 && !first)
			first = rg_err_errno(err, r, "cannot remove pin '%s' of a pod's hook",
					     name);
	}
	return first;
}
