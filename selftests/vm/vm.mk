# SPDX-License-Identifier: Apache-2.0

demo: all ## Set up and watch two pods exchange real RoCEv2 in a virtual machine
	@echo "Booting the virtual machine (the first time its kernel is downloaded)"
	$(Q)RG_BUILD=$(abspath $(O)) selftests/vm/run.sh --kernel rxe --timeout 240 selftests/vm/demo.sh
