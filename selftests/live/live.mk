# SPDX-License-Identifier: Apache-2.0
#
# Live tests: each selftests/live/test_<subject>.c is one program that sends real packets in
# namespaces of its own. selftests/netns/t_live_<subject>.sh puts it into the ring of tests.

LIVE_OUT := $(O)/selftests/live
LIVE_SRCS := $(sort $(wildcard selftests/live/*.c))
LIVE_PROGRAMS := $(patsubst selftests/live/%.c,$(LIVE_OUT)/%,$(filter selftests/live/test_%,$(LIVE_SRCS)))
LIVE_OBJS := $(patsubst %.c,$(O)/%.o,$(filter-out selftests/live/test_%,$(LIVE_SRCS)))
# What the tests of the BPF programs have already: frames from text, TAP.
LIVE_BORROWED := $(patsubst %,$(O)/selftests/bpf/%.o,frame layers tap)
TEST_PROGRAMS += $(LIVE_PROGRAMS)

$(O)/selftests/live/%.o: selftests/live/%.c | $(BPF_SKEL)
	$(call msg,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(RG_CFLAGS) -Iselftests -MMD -MP -c -o $@ $<

$(LIVE_PROGRAMS): $(LIVE_OUT)/%: $(LIVE_OUT)/%.o $(LIVE_OBJS) $(LIVE_BORROWED) $(O)/librailgate.a
	$(call msg,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^ $(LIB_LIBS)

.PHONY: test-live
test-live: all $(TEST_PROGRAMS) ## Real packets by every way of sending them
	$(Q)for t in selftests/netns/t_live_*.sh; do \
		$(RUN_TESTS) netns/$$(basename $$t .sh) || exit 1; done

.SECONDARY: $(LIVE_PROGRAMS:=.o)
-include $(LIVE_OBJS:.o=.d) $(LIVE_PROGRAMS:=.d)
