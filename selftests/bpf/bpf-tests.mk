# SPDX-License-Identifier: Apache-2.0
#
# Tests of the BPF programs: packets through BPF_PROG_TEST_RUN, events, and a plain-C reference.

BT := $(O)/selftests/bpf
BT_CFLAGS = $(CFLAGS) $(RG_CFLAGS) -Iselftests
BT_LIBS = $(O)/librailgate.a $(LIB_LIBS)

# The programs; everything else in the folder is shared by them.
BT_MAINS := $(sort $(basename $(notdir $(wildcard selftests/bpf/test_*.c)))) load_all
BT_COMMON := $(filter-out $(BT_MAINS:%=selftests/bpf/%.c),$(sort $(wildcard selftests/bpf/*.c)))
BT_COMMON_OBJS := $(BT_COMMON:%.c=$(O)/%.o)
BT_PROGRAMS := $(BT_MAINS:%=$(BT)/%)
TEST_PROGRAMS += $(BT_PROGRAMS)

$(BT)/%.o: selftests/bpf/%.c | $(BPF_SKEL)
	$(call msg,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BT_CFLAGS) -MMD -MP -c -o $@ $<

$(BT_PROGRAMS): $(BT)/%: $(BT)/%.o $(BT_COMMON_OBJS) $(O)/librailgate.a
	$(call msg,LINK,$@)
	$(Q)$(CC) $(BT_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BT_LIBS)

-include $(BT_COMMON_OBJS:.o=.d) $(BT_PROGRAMS:=.d)

# What they cost: nanoseconds of a packet, packets of a sender. Uses the same loader and frames.
BB := $(O)/bench
BB_COMMON_OBJS := $(BB)/crowd.o $(BT_COMMON_OBJS)
BB_PROGRAMS := $(BB)/cost $(BB)/pps
TEST_PROGRAMS += $(BB_PROGRAMS)

BENCH_PARTS += bpf
.PHONY: bench-bpf
bench-bpf: $(BB_PROGRAMS) ## BPF programs: ns of a packet, packets a second against others
	$(Q)RG_BUILD=$(abspath $(O)) selftests/bench/bpf.sh

$(BB)/%.o: selftests/bench/%.c | $(BPF_SKEL)
	$(call msg,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BT_CFLAGS) -MMD -MP -c -o $@ $<

$(BB_PROGRAMS): %: %.o $(BB_COMMON_OBJS) $(O)/librailgate.a
	$(call msg,LINK,$@)
	$(Q)$(CC) $(BT_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BT_LIBS)

-include $(BB_PROGRAMS:=.d) $(BB)/crowd.d
