# SPDX-License-Identifier: Apache-2.0
#
# `make bench`: every measurement, a table for people and $(O)/bench.json for machines.

BENCH_SRCS := $(sort $(wildcard selftests/bench/bench_*.c))
BENCH_PROGRAMS := $(BENCH_SRCS:selftests/bench/%.c=$(O)/bench/%)
TEST_PROGRAMS += $(BENCH_PROGRAMS)

# One after the other, whatever -j says: they would measure each other.
BENCH_PARTS += cni
.PHONY: bench-cni
bench: all $(BENCH_PROGRAMS) ## Measure speed and memory: table, and build/bench.json
	$(Q)rm -f $(O)/bench.json
	$(Q)+for part in $(sort $(BENCH_PARTS)); do \
		$(MAKE) --no-print-directory bench-$$part || exit 1; done
bench-cni: all $(BENCH_PROGRAMS) $(O)/tools/endpoints ## Plugin against the reference plugin, scrape, memory
	$(Q)RG_BUILD=$(abspath $(O)) selftests/bench/cni.sh

$(O)/bench/%: selftests/bench/%.c $(O)/librailgate.a
	$(call msg,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(RG_CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(O)/librailgate.a $(LIB_LIBS)

-include $(BENCH_PROGRAMS:=.d)
