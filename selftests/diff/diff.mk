# SPDX-License-Identifier: Apache-2.0
#
# The BPF programs against a plain-C reference of the policy. Part of the bpf ring.

DIFF_SRCS := $(sort $(wildcard selftests/diff/*.c))
DIFF_OBJS := $(DIFF_SRCS:%.c=$(O)/%.o)
DIFF := $(O)/selftests/bpf/test_diff
TEST_PROGRAMS += $(DIFF)

$(O)/selftests/diff/%.o: selftests/diff/%.c | $(BPF_SKEL)
	$(call msg,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BT_CFLAGS) -Iselftests/diff -MMD -MP -c -o $@ $<

$(DIFF): $(DIFF_OBJS) $(BT_COMMON_OBJS) $(O)/librailgate.a
	$(call msg,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BT_CFLAGS) $(LDFLAGS) -o $@ $(DIFF_OBJS) $(BT_COMMON_OBJS) $(BT_LIBS)

.PHONY: fuzz-diff
fuzz-diff: $(DIFF) ## Compare programs and reference until stopped (as root; SEED=N repeats)
	$(Q)RG_BUILD=$(abspath $(O)) $(DIFF) 0 $(SEED)

-include $(DIFF_OBJS:.o=.d)
