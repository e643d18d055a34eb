# SPDX-License-Identifier: Apache-2.0
#
# The tests, in rings from fast to slow: unit, bpf, netns, vm. Every ring builds what it needs; the
# rules of one kind of test stand in its folder.

.PHONY: check test test-unit test-bpf test-netns test-vm
include $(sort $(wildcard selftests/*/*.mk))

RUN_TESTS = RG_BUILD=$(abspath $(O)) selftests/run.sh

# TEST_PROGRAMS is what the rings run besides the programs themselves; folders add to it.
check: all $(TEST_PROGRAMS) vm-kernels ## Set up and run every ring of tests
	$(Q)$(RUN_TESTS) unit bpf netns vm

test: all $(TEST_PROGRAMS) ## The rings that need no virtual machine
	$(Q)$(RUN_TESTS) unit bpf netns

test-unit: $(UNIT_PROGRAMS) ## Unit tests under ASan and UBSan; needs no root
	$(Q)$(RUN_TESTS) unit

test-bpf: all $(TEST_PROGRAMS) ## Packets through the loaded BPF programs
	$(Q)$(RUN_TESTS) bpf

test-netns: all $(TEST_PROGRAMS) ## The real programs in network namespaces
	$(Q)$(RUN_TESTS) netns

test-vm: all $(TEST_PROGRAMS) vm-kernels ## The real programs and soft-RoCE on other kernels
	$(Q)$(RUN_TESTS) vm
