# SPDX-License-Identifier: GPL-2.0-or-later
man_sources = man/gangway.1.in man/gangway.conf.5.in man/gangway.7.in
man_MANS = man/gangway.1 man/gangway.conf.5 man/gangway.7
EXTRA_DIST += $(man_sources)
CLEANFILES += $(man_MANS)

man/%: man/%.in Makefile
	$(AM_V_GEN)$(MKDIR_P) man && $(SED) -e 's/@[V]ERSION@/$(PACKAGE_VERSION)/g' \
		-e 's|@[P]LUGINDIR@|$(libdir)/gangway|g' -e 's|@[S]HAPESDIR@|$(shapesdir)|g' \
		-e 's|@[S]YSCONFDIR@|$(sysconfdir)|g' $< >$@
