# SPDX-License-Identifier: Apache-2.0
#
# railgate. `make help` lists the targets. Each folder's own rules live in <folder>/<folder>.mk;
# everything is built below $(O), nothing in the source tree.

VERSION := 0.1.0
O ?= build

# Without a goal, build the programs. The included files add prerequisites to these targets.
.DEFAULT_GOAL := all
.PHONY: all check lint bench demo install uninstall clean help deps version
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

V ?= 0
ifeq ($(V),1)
Q :=
msg =
else
Q := @
msg = @printf '  %-8s %s\n' '$(1)' '$(patsubst $(O)/%,%,$(2))';
endif

ifeq ($(origin CC),default)
CC := gcc
endif
CLANG ?= clang
LLVM_STRIP ?= llvm-strip
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool) bpftool)
PKG_CONFIG ?= pkg-config
RST2MAN ?= rst2man

DESTDIR ?=
PREFIX ?= /usr/local
SBINDIR ?= $(PREFIX)/sbin
MANDIR ?= $(PREFIX)/share/man
CNIBINDIR ?= /opt/cni/bin
SYSCONFDIR ?= /etc
UNITDIR ?= /lib/systemd/system

ARCH := $(shell uname -m)
BPF_ARCH := $(patsubst aarch64,arm64,$(patsubst x86_64,x86,$(ARCH)))
ifeq ($(filter $(BPF_ARCH),x86 arm64),)
$(error railgate is not built for $(ARCH) yet; known: x86_64, aarch64)
endif

DEPS_BUILD := build-essential clang llvm bpftool pkg-config libbpf-dev libelf-dev zlib1g-dev \
	libnl-3-dev libnl-route-3-dev libjson-c-dev libmicrohttpd-dev libcap-dev libibverbs-dev \
	libpcap-dev python3-docutils
DEPS_TEST := libcmocka-dev clang-format clang-tidy cppcheck shellcheck iproute2 nftables ethtool \
	containernetworking-plugins qemu-system-x86 busybox-static kmod cpio perftest rdmacm-utils \
	ibverbs-utils rdma-core tcpdump tshark python3-scapy strace curl xz-utils \
	libclang-rt-14-dev

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2
CFLAGS ?= -O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2
RG_CFLAGS := -std=gnu11 $(WARNINGS) -Iheaders -Iuser -Iuser/lib -I$(O)/include \
	-DRG_VERSION='"$(VERSION)"'
LDFLAGS ?= -Wl,-z,relro,-z,now -Wl,--as-needed
# SAN=1 builds with ASan and UBSan; give it a build directory of its own (O=build/asan).
ifeq ($(SAN),1)
SAN_FLAGS := -O1 -fno-omit-frame-pointer -U_FORTIFY_SOURCE -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined
override CFLAGS += $(SAN_FLAGS)
endif

pkg_cflags = $(shell $(PKG_CONFIG) --cflags $(1))
pkg_libs = $(shell $(PKG_CONFIG) --libs $(1))

include $(sort $(wildcard */*.mk))

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-16s %s\n", $$1, $$2 }' \
		Makefile $(sort $(wildcard */*.mk))
	@echo
	@echo "  V=1 shows the commands, O=DIR moves the build directory, CC=clang uses clang, SAN=1 adds ASan,"
	@echo "  DESTDIR and PREFIX ($(PREFIX)) move the installation."

deps: ## Install the Debian packages that building and testing need (as root)
	@if [ "$$(id -u)" -eq 0 ]; then \
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
			--no-install-recommends $(DEPS_BUILD) $(DEPS_TEST); \
	else \
		echo "Not root. Run this:"; \
		echo "sudo apt-get install --no-install-recommends $(DEPS_BUILD) $(DEPS_TEST)"; \
	fi

version: ## Print the version
	@echo $(VERSION)

clean: ## Remove what was built, keep downloaded test kernels
	$(Q)if [ -d "$(O)" ]; then find "$(O)" -mindepth 1 -maxdepth 1 ! -name cache -exec rm -rf {} +; fi
