# SPDX-License-Identifier: Apache-2.0
#
# `make install` puts everything below $(DESTDIR); `make uninstall` takes out what it put there. A
# configuration file that exists is never overwritten, and one that was changed never removed.

DOCDIR ?= $(PREFIX)/share/doc/railgate
COMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
DEPLOY_CONF := $(DESTDIR)$(SYSCONFDIR)/railgate/railgate.json
DEPLOY_UNIT := $(O)/deploy/railgated.service
DEPLOY_EXAMPLES := $(sort $(wildcard deploy/examples/*))
DEPLOY_SBIN = $(notdir $(filter-out $(O)/railgate,$(PROGRAMS)))

$(DEPLOY_UNIT): deploy/systemd/railgated.service
	@mkdir -p $(@D)
	$(Q)sed 's|@SBINDIR@|$(SBINDIR)|g' $< >$@

install: all $(DEPLOY_UNIT) ## Install programs, man pages, systemd unit and example configuration
	$(Q)install -d $(DESTDIR)$(SBINDIR) $(DESTDIR)$(UNITDIR) $(DESTDIR)$(DOCDIR)/examples \
		$(DESTDIR)$(MANDIR)/man5 $(DESTDIR)$(MANDIR)/man8 $(dir $(DEPLOY_CONF))
	$(Q)for p in $(DEPLOY_SBIN); do install -m 755 $(O)/$$p $(DESTDIR)$(SBINDIR)/$$p || exit 1; done
	$(Q)for p in $(MAN_PAGES); do \
		gzip -9nc $$p >$(DESTDIR)$(MANDIR)/man$${p##*.}/$${p##*/}.gz || exit 1; \
	done
	$(Q)install -D -m 644 user/ctl/railctl.bash $(DESTDIR)$(COMPLETIONDIR)/railctl
	$(Q)install -m 644 $(DEPLOY_UNIT) $(DESTDIR)$(UNITDIR)/railgated.service
	$(Q)install -m 644 $(wildcard README.md) LICENSE deploy/NEWS.md $(DESTDIR)$(DOCDIR)
	$(Q)install -m 644 $(DEPLOY_EXAMPLES) $(DESTDIR)$(DOCDIR)/examples
	$(Q)test -e $(DEPLOY_CONF) || install -m 644 deploy/examples/railgate.json $(DEPLOY_CONF)
	$(Q)deploy/install-cni.sh $(O)/railgate $(DESTDIR)$(CNIBINDIR)

uninstall: ## Remove what `make install` put in place; a changed configuration stays
	$(Q)rm -f $(DESTDIR)$(CNIBINDIR)/railgate $(DESTDIR)$(UNITDIR)/railgated.service \
		$(DESTDIR)$(COMPLETIONDIR)/railctl \
		$(addprefix $(DESTDIR)$(SBINDIR)/,$(DEPLOY_SBIN)) \
		$(foreach p,$(MAN_PAGES),$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $p))/$(notdir $p).gz)
	$(Q)rm -rf $(DESTDIR)$(DOCDIR)
	$(Q)if cmp -s deploy/examples/railgate.json $(DEPLOY_CONF); then rm -f $(DEPLOY_CONF); \
	elif [ -e $(DEPLOY_CONF) ]; then echo "kept, since it was changed: $(DEPLOY_CONF)"; fi
	$(Q)rmdir --ignore-fail-on-non-empty $(dir $(DEPLOY_CONF)) 2>/dev/null || true
