# SPDX-License-Identifier: Apache-2.0

# The kernels are fetched before the ring starts, so that no test's time limit pays for it.
VM_KERNELS := 6.1 6.12 rxe
.PHONY: vm-kernels
vm-kernels:
	$(Q)for kernel in $(VM_KERNELS); do \
		selftests/vm/fetch-kernel.sh $$kernel $(O)/cache >/dev/null || exit; done

demo: all ## Set up and watch two pods exchange real RoCEv2 in a virtual machine
	@echo "Booting the virtual machine (the first time its kernel is downloaded)"
	$(Q)RG_BUILD=$(abspath $(O)) selftests/vm/run.sh --kernel rxe --timeout 240 selftests/vm/demo.sh
