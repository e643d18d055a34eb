# SPDX-License-Identifier: Apache-2.0
#
# Small programs that tests in namespaces and virtual machines call.

TOOL_SRCS := $(sort $(wildcard selftests/tools/*.c))
TOOL_PROGRAMS := $(TOOL_SRCS:selftests/tools/%.c=$(O)/tools/%)
TEST_PROGRAMS += $(TOOL_PROGRAMS)

$(O)/tools/%: selftests/tools/%.c $(O)/librailgate.a
	$(call msg,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(RG_CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(LIBRG) $(LIB_LIBS)

-include $(TOOL_PROGRAMS:=.d)

PROMTOOL := $(O)/cache/promtool
TEST_PROGRAMS += promtool

.PHONY: promtool
promtool:
	$(Q)[ -x $(PROMTOOL) ] || selftests/lib/promtool.sh $(PROMTOOL)
