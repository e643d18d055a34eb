# SPDX-License-Identifier: Apache-2.0
#
# libFuzzer targets under ASan and UBSan: selftests/fuzz/fuzz_<name>.c with seeds in corpus/<name>.
# `make fuzz` builds them, `make fuzz-smoke` runs each over its seeds and then for FUZZ_SECONDS.

FUZZ_SECONDS ?= 60
FUZZ_OUT := $(O)/fuzz
FUZZ_NAMES := $(patsubst selftests/fuzz/fuzz_%.c,%,$(sort $(wildcard selftests/fuzz/fuzz_*.c)))
# Inputs that are not JSON are mutated as bytes.
FUZZ_BYTES := netlink
FUZZ_LDFLAGS_netlink := -Wl,--wrap=nl_send,--wrap=nl_recv
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_CFLAGS := -O1 -g -fno-omit-frame-pointer $(FUZZ_SANITIZE)
FUZZ_SRCS := $(sort $(wildcard user/lib/*/*.c) $(filter-out cni/main.c,$(wildcard cni/*.c)))
FUZZ_OBJS := $(FUZZ_SRCS:%.c=$(FUZZ_OUT)/obj/%.o)
FUZZ_BINS := $(FUZZ_NAMES:%=$(FUZZ_OUT)/fuzz_%)

.PHONY: fuzz fuzz-smoke
fuzz: $(FUZZ_BINS) ## Build the fuzz targets

$(FUZZ_OUT)/obj/%.o: %.c | $(BPF_SKEL)
	$(call msg,FUZZ CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link $(RG_CFLAGS) -Icni -MMD -MP -c -o $@ $<

$(FUZZ_OUT)/libtarget.a: $(FUZZ_OBJS)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(FUZZ_OUT)/fuzz_%: $(FUZZ_OUT)/obj/selftests/fuzz/fuzz_%.o \
		$(FUZZ_OUT)/obj/selftests/fuzz/json_mutator.o $(FUZZ_OUT)/libtarget.a
	$(call msg,FUZZ LD,$@)
	$(Q)$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer $(FUZZ_LDFLAGS_$*) -o $@ $< \
		$(if $(filter $*,$(FUZZ_BYTES)),,$(word 2,$^)) $(FUZZ_OUT)/libtarget.a $(LIB_LIBS)

fuzz-smoke: fuzz ## Run each fuzz target for FUZZ_SECONDS (60)
	$(Q)FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_OUT=$(FUZZ_OUT) selftests/fuzz/smoke.sh $(FUZZ_NAMES)

.SECONDARY: $(FUZZ_OBJS) $(FUZZ_NAMES:%=$(FUZZ_OUT)/obj/selftests/fuzz/fuzz_%.o) \
	$(FUZZ_OUT)/obj/selftests/fuzz/json_mutator.o
-include $(FUZZ_OBJS:.o=.d) $(wildcard $(FUZZ_OUT)/obj/selftests/fuzz/*.d)
