# SPDX-License-Identifier: Apache-2.0
#
# The library, the agent and the tool. Sources are found by wildcard: a new file needs no edit.

LIB_SRCS := $(sort $(wildcard user/lib/*/*.c))
LIB_OBJS := $(LIB_SRCS:%.c=$(O)/obj/%.o)
LIB_PKGS := libbpf libnl-3.0 libnl-route-3.0 json-c
LIBRG := $(O)/librailgate.a

DAEMON_OBJS := $(patsubst %.c,$(O)/obj/%.o,$(sort $(wildcard user/daemon/*.c)))
CTL_OBJS := $(patsubst %.c,$(O)/obj/%.o,$(sort $(wildcard user/ctl/*.c)))
CNI_OBJS := $(patsubst %.c,$(O)/obj/%.o,$(sort $(wildcard cni/*.c)))

RG_CFLAGS += $(call pkg_cflags,$(LIB_PKGS))
LIB_LIBS := $(call pkg_libs,$(LIB_PKGS))
DAEMON_LIBS := $(call pkg_libs,libmicrohttpd libcap)
CTL_LIBS := $(call pkg_libs,libpcap)

PROGRAMS := $(patsubst %,$(O)/%,$(if $(wildcard user/daemon/main.c),railgated) \
	$(if $(wildcard user/ctl/main.c),railctl) $(if $(wildcard cni/main.c),railgate))

all: $(LIBRG) $(PROGRAMS) ## Build the programs and man pages

# The skeletons must exist before the first compilation that might include one.
$(O)/obj/%.o: %.c | $(BPF_SKEL)
	$(call msg,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(RG_CFLAGS) -MMD -MP -c -o $@ $<

$(LIBRG): $(LIB_OBJS)
	$(call msg,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

define link
	$(call msg,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) $(1)
endef

$(O)/railgated: $(DAEMON_OBJS) $(LIBRG)
	$(call link,$(DAEMON_LIBS))

$(O)/railctl: $(CTL_OBJS) $(LIBRG)
	$(call link,$(CTL_LIBS))

# The plugin is copied to hosts that have none of its libraries, and starting it must cost nothing:
# it is linked statically where the libraries' archives are installed. CNI_STATIC= turns it off.
# libnl's name look-ups, which the linker warns of, are never called.
# The sanitizers need their shared libraries.
ifeq ($(SAN),)
CNI_STATIC ?= -static-pie -Wl,--no-warnings
endif
CNI_STATIC_LIBS := $(shell $(PKG_CONFIG) --libs --static $(LIB_PKGS))

$(O)/railgate: $(CNI_OBJS) $(LIBRG)
	$(call msg,LINK,$@)
	$(Q)$(if $(CNI_STATIC),$(CC) $(CFLAGS) $(LDFLAGS) $(CNI_STATIC) -o $@ $^ $(CNI_STATIC_LIBS) \
		2>/dev/null || )$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

MAN_SRCS := $(sort $(wildcard user/*/*.rst cni/*.rst))
MAN_PAGES := $(addprefix $(O)/man/,$(notdir $(MAN_SRCS:.rst=)))
all: $(MAN_PAGES)
vpath %.rst $(sort $(dir $(MAN_SRCS)))
$(O)/man/%: %.rst
	$(call msg,MAN,$@)
	@mkdir -p $(@D)
	$(Q)$(RST2MAN) --strict $< $@

-include $(LIB_OBJS:.o=.d) $(DAEMON_OBJS:.o=.d) $(CTL_OBJS:.o=.d) $(CNI_OBJS:.o=.d)
