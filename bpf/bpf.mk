# SPDX-License-Identifier: Apache-2.0
#
# clang compiles each program, bpftool links them into one object and makes the skeleton of it.

BPF_SRCS := $(sort $(wildcard bpf/*.bpf.c))
BPF_OBJS := $(BPF_SRCS:%.c=$(O)/%.o)
BPF_OBJ := $(if $(BPF_SRCS),$(O)/railgate.bpf.o)
BPF_SKEL := $(if $(BPF_SRCS),$(O)/include/railgate.skel.h)
BPF_CFLAGS := -target bpf -mcpu=v3 -O2 -g -std=gnu11 -Wall -Wextra -Werror -Wshadow \
	-D__TARGET_ARCH_$(BPF_ARCH) -Ibpf -Iheaders -Ivmlinux -I/usr/include/$(ARCH)-linux-gnu

$(O)/bpf/%.bpf.o: bpf/%.bpf.c
	$(call msg,CLANG,$@)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -c -o $@ $<
	$(Q)$(LLVM_STRIP) -g $@

$(O)/railgate.bpf.o: $(BPF_OBJS)
	$(call msg,BPFLINK,$@)
	$(Q)$(BPFTOOL) gen object $@ $^

$(O)/include/railgate.skel.h: $(O)/railgate.bpf.o
	$(call msg,SKEL,$@)
	@mkdir -p $(@D)
	$(Q)$(BPFTOOL) gen skeleton $< name railgate_bpf > $@

-include $(BPF_OBJS:.o=.d)
