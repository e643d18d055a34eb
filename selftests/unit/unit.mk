# SPDX-License-Identifier: Apache-2.0
#
# Unit tests: each selftests/unit/test_<subject>.c is one cmocka program, linked with the library
# with all of the plugin and the tool but their main files, and with what of the agent needs no
# kernel, everything under ASan and UBSan.

UNIT_SAN := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined
UNIT_DATA := -DRG_TEST_DATA="\"$(CURDIR)/selftests/unit/data\""
UNIT_OUT := $(O)/unit
UNIT_SRCS := $(sort $(wildcard selftests/unit/test_*.c))
UNIT_PROGRAMS := $(UNIT_SRCS:selftests/unit/%.c=$(UNIT_OUT)/%)
UNIT_LIB_SRCS := $(sort $(wildcard user/lib/*/*.c)) \
	$(filter-out %/main.c,$(sort $(wildcard cni/*.c user/ctl/*.c))) user/daemon/policy.c
UNIT_LIB_OBJS := $(UNIT_LIB_SRCS:%.c=$(UNIT_OUT)/obj/%.o)
TEST_PROGRAMS += $(UNIT_PROGRAMS)

$(UNIT_OUT)/obj/%.o: %.c | $(BPF_SKEL)
	$(call msg,SAN CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(UNIT_SAN) $(RG_CFLAGS) -Icni -Iselftests $(UNIT_DATA) -MMD -MP -c -o $@ $<

$(UNIT_OUT)/libunit.a: $(UNIT_LIB_OBJS)
	$(call msg,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# A test that replaces functions by --wrap sets UNIT_LDFLAGS for its own target.
$(UNIT_OUT)/test_%: $(UNIT_OUT)/obj/selftests/unit/test_%.o $(UNIT_OUT)/libunit.a
	$(call msg,LINK,$@)
	$(Q)$(CC) $(UNIT_SAN) $(UNIT_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(CTL_LIBS) -lcmocka

.SECONDARY: $(UNIT_LIB_OBJS) $(UNIT_SRCS:%.c=$(UNIT_OUT)/obj/%.o)
-include $(UNIT_LIB_OBJS:.o=.d) $(UNIT_SRCS:%.c=$(UNIT_OUT)/obj/%.d)
