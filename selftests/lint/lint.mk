# SPDX-License-Identifier: Apache-2.0
#
# `make lint`: everything that a program can say about the sources. Slow checkers leave one stamp
# for each file under $(O)/lint, so that only what changed is looked at again.

LINT := selftests/lint
LINT_DIRS := bpf cni deploy demo headers selftests user vmlinux .ci
LINT_OUT := $(O)/lint

lint_find = $(sort $(shell find $(wildcard $(LINT_DIRS)) -name '$(1)' -type f 2>/dev/null))
# Only the kernel's build system can compile the test module; it is formatted and read like the rest.
LINT_SRCS := $(call lint_find,*.c)
LINT_HDRS := $(call lint_find,*.h)
LINT_SHELL := $(sort $(call lint_find,*.sh) $(wildcard .ci/run))
LINT_KMOD := $(wildcard selftests/vm/kmod/*.c selftests/vm/*/*_mod.c)
LINT_BPF := $(filter %.bpf.c,$(LINT_SRCS))
LINT_USER := $(filter-out $(LINT_BPF) $(LINT_KMOD),$(LINT_SRCS))

LINT_FAST := lint-format lint-shell lint-layers lint-size lint-names lint-cloexec lint-reasons lint-self
LINT_SLOW := lint-headers lint-symbols lint-tidy lint-cppcheck lint-clang
.PHONY: lint-all $(LINT_FAST) $(LINT_SLOW)

# The checkers run side by side, and all of them, whatever one says.
lint: ## Format, clang-tidy, cppcheck, shellcheck, layering, sizes, names; gcc and clang builds
	$(Q)+$(MAKE) --no-print-directory -k --output-sync=target \
		$(if $(findstring --jobserver,$(MAKEFLAGS)),,-j$(shell nproc)) lint-all
	@echo "lint: clean"
lint-all: $(LINT_SLOW) $(LINT_FAST)

lint-format:
	$(call msg,FORMAT,)
	$(Q)clang-format --dry-run -Werror $(LINT_SRCS) $(LINT_HDRS)

lint-shell: $(LINT_SHELL:%=$(LINT_OUT)/shell/%.ok)
$(LINT_OUT)/shell/%.ok: % $(wildcard selftests/lib/*.sh) .shellcheckrc
	$(call msg,SHELL,$<)
	$(Q)shellcheck $<
	@mkdir -p $(@D) && touch $@

lint-layers lint-size lint-names lint-cloexec lint-reasons lint-self: lint-%: $(LINT)/%.sh
	$(call msg,LINT,$*)
	$(Q)$(LINT)/$*.sh

lint-headers: $(BPF_SKEL)
	$(call msg,LINT,headers)
	$(Q)CC="$(CC)" CLANG="$(CLANG)" LINT_USER_FLAGS="$(subst ",,$(RG_CFLAGS))" \
		LINT_BPF_FLAGS="$(BPF_CFLAGS)" $(LINT)/headers.sh

lint-symbols: $(O)/librailgate.a
	$(call msg,LINT,symbols)
	$(Q)$(LINT)/symbols.sh $(LIBRG)

# ipa=none: following calls takes the analyser fifteen times as long, and as it does not know that
# a function which fails returns a negative number, it finds paths that cannot be taken.
LINT_TIDY_FLAGS := -Xclang -analyzer-config -Xclang ipa=none
# The programs keep reasons and small counts in 32 bits and hand them on as int, and read kernel
# pointers by the size of a pointer.
LINT_TIDY_BPF := --checks=-*-narrowing-conversions,-bugprone-sizeof-expression
lint-tidy: $(LINT_USER:%=$(LINT_OUT)/tidy/%.ok) $(LINT_BPF:%=$(LINT_OUT)/tidy/%.ok) lint-reasons
lint_tidy = $(Q)mkdir -p $(@D) && $(CLANG) $(1) -MM -MP -MT $@ -MF $(@:.ok=.d) $< && \
	clang-tidy --quiet $(2) $< -- $(1) $(LINT_TIDY_FLAGS) 2>$(@:.ok=.err) || \
	{ grep -v 'warnings generated\|warnings treated' $(@:.ok=.err); exit 1; }
$(LINT_BPF:%=$(LINT_OUT)/tidy/%.ok): $(LINT_OUT)/tidy/%.ok: % .clang-tidy
	$(call msg,TIDY,$<)
	$(call lint_tidy,$(BPF_CFLAGS),$(LINT_TIDY_BPF))
	@touch $@
$(LINT_OUT)/tidy/%.ok: % .clang-tidy | $(BPF_SKEL)
	$(call msg,TIDY,$<)
	$(call lint_tidy,$(RG_CFLAGS) $(UNIT_DATA) -I$(<D) -Iselftests -Icni)
	@touch $@
-include $(wildcard $(LINT_SRCS:%=$(LINT_OUT)/tidy/%.d))

# One run over everything, for the checks that need the whole program; unchanged files come from
# the cache.
lint-cppcheck: $(LINT)/cppcheck.suppress | $(BPF_SKEL)
	$(call msg,CPPCHECK,)
	@mkdir -p $(LINT_OUT)/cppcheck
	$(Q)cppcheck --enable=all --inline-suppr --error-exitcode=1 --quiet --std=c11 \
		--cppcheck-build-dir=$(LINT_OUT)/cppcheck --suppressions-list=$< \
		--library=gnu --library=posix --platform=unix64 --template=gcc \
		-Iheaders -Iuser/lib -D__x86_64__ \
		-D'LIBBPF_OPTS(type,name,...)=struct type name = {__VA_ARGS__}' -DRG_VERSION='"0"' \
		$(LINT_USER)

lint-clang:
	$(Q)+$(MAKE) --no-print-directory CC=clang O=$(O)/lint-clang all
