# SPDX-License-Identifier: GPL-2.0-or-later
# One shared object with the engine and the policy, and thin plugins that need it. All are
# installed in one directory, which stands first in PluginDir; they find the engine beside
# themselves ($ORIGIN).
if BUILD_PLUGINS

gwplugindir = $(libdir)/gangway
gwplugin_LTLIBRARIES = \
	libgangway.la \
	libgangway_topo.la \
	priority_gangway.la \
	select_cons_tres.la \
	job_submit_gangway.la

PLUGIN_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) -DGW_VERSION='"$(PACKAGE_VERSION)"'
# Slurm's symbols come from slurmctld; data binds lazily, so neither -z now nor -z defs.
PLUGIN_LDFLAGS = -module -avoid-version -shared -Wl,-z,lazy -Wl,-rpath,'$$ORIGIN'

libgangway_la_SOURCES = \
	plugins/common/bits.c plugins/common/bits.h \
	plugins/common/breaker.c plugins/common/breaker.h \
	plugins/common/histogram.c plugins/common/histogram.h \
	plugins/common/compat/compat.h \
	plugins/common/compat/slurm_22_05.h \
	plugins/common/compat/slurm_24_11.h \
	plugins/common/conf_store.c plugins/common/conf_store.h \
	plugins/common/engine.c plugins/common/engine.h \
	plugins/common/engine_state.h \
	plugins/common/engine_thread.c \
	plugins/common/export.h \
	plugins/common/fault.c plugins/common/fault.h \
	plugins/common/forward.h \
	plugins/common/gpus_registered.c plugins/common/gpus_registered.h plugins/common/gres_name.h \
	plugins/common/placement.c plugins/common/placement.h \
	plugins/common/domains.c plugins/common/domains.h \
	plugins/common/gate.c plugins/common/gate.h \
	plugins/common/gate_qos.c plugins/common/gate_qos.h \
	plugins/common/job_test.c plugins/common/job_test.h \
	plugins/common/learned.c plugins/common/learned.h plugins/common/learned_mix.c \
	plugins/common/learned_pass.c plugins/common/learned_state.h \
	plugins/common/number.c plugins/common/number.h \
	plugins/common/cores_in_use.c plugins/common/cores_in_use.h \
	plugins/common/place_memory.c plugins/common/place_memory.h \
	plugins/common/preference.c plugins/common/preference.h \
	plugins/common/preference_ask.c plugins/common/preference_nodes.c \
	plugins/common/preference_cores.c plugins/common/preference_sockets.c \
	plugins/common/preference_impl.h \
	plugins/common/shape_reader.h src/topo/topo.h src/topo/topo_threads.c \
	plugins/common/shape_gres.c plugins/common/shape_gres.h \
	plugins/common/shape_set.c plugins/common/shape_set.h \
	plugins/common/shape_source.c plugins/common/shape_source.h \
	plugins/common/shapes.c plugins/common/shapes.h \
	plugins/common/hardware.c plugins/common/hardware.h \
	plugins/common/identity.c plugins/common/identity.h \
	plugins/common/submit.c plugins/common/submit.h \
	plugins/common/rank.c plugins/common/rank.h \
	plugins/common/rank_apply.c plugins/common/rank_apply.h \
	plugins/common/rank_copy.c plugins/common/rank_copy.h \
	plugins/common/rank_explain.c plugins/common/rank_explain.h \
	plugins/common/rank_ledger.c plugins/common/rank_ledger.h \
	plugins/common/standing.c plugins/common/standing.h \
	plugins/common/view.c plugins/common/view.h \
	plugins/common/rank_pass.c plugins/common/rank_state.h \
	plugins/common/rank_numbers.c plugins/common/rank_numbers.h \
	plugins/common/touched.c plugins/common/touched.h \
	plugins/common/recorder.c plugins/common/recorder.h \
	plugins/common/rank_record.c plugins/common/rank_record.h \
	plugins/common/policy.c plugins/common/policy.h \
	plugins/common/snap.c plugins/common/snap.h \
	plugins/common/snapshot.c plugins/common/snapshot.h \
	plugins/common/status.c \
	plugins/common/stock.c plugins/common/stock.h \
	plugins/common/topology_tables.h \
	plugins/common/weak.h
libgangway_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
libgangway_la_LDFLAGS = -avoid-version -shared -Wl,-z,lazy -Wl,-rpath,'$$ORIGIN'
libgangway_la_LIBADD = src/libgwcore.la -lm -lpthread -ldl

# Opened by the engine where there are shapes to read: the only one that needs hwloc.
libgangway_topo_la_SOURCES = plugins/common/shape_reader.c plugins/common/shape_reader.h
libgangway_topo_la_CPPFLAGS = $(AM_CPPFLAGS)
libgangway_topo_la_LDFLAGS = -module -avoid-version -shared
libgangway_topo_la_LIBADD = src/libgwtopo.la

priority_gangway_la_SOURCES = \
	plugins/priority/priority_gangway.c \
	plugins/priority/forward_22_05.h \
	plugins/priority/forward_24_11.h
priority_gangway_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
priority_gangway_la_LDFLAGS = $(PLUGIN_LDFLAGS)
priority_gangway_la_LIBADD = libgangway.la

select_cons_tres_la_SOURCES = \
	plugins/select/choose_nodes.h \
	plugins/select/forward_22_05.h \
	plugins/select/forward_24_11.h \
	plugins/select/select_cons_tres.c
if !SLURM_HAS_TOPOLOGY_HOOK
select_cons_tres_la_SOURCES += plugins/select/choose_nodes.c
endif
select_cons_tres_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
select_cons_tres_la_LDFLAGS = $(PLUGIN_LDFLAGS)
select_cons_tres_la_LIBADD = libgangway.la

job_submit_gangway_la_SOURCES = plugins/job_submit/job_submit_gangway.c
job_submit_gangway_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
job_submit_gangway_la_LDFLAGS = $(PLUGIN_LDFLAGS)
job_submit_gangway_la_LIBADD = libgangway.la

# From 23.11 on topology plugins take part in placement; before, there is nothing to hook.
if SLURM_HAS_TOPOLOGY_HOOK
gwplugin_LTLIBRARIES += topology_tree.la topology_block.la topology_default.la

TOPOLOGY_SOURCES = plugins/topology/topology_shadow.c plugins/topology/forward_24_11.h
topology_tree_la_SOURCES = $(TOPOLOGY_SOURCES)
topology_tree_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DGW_TOPOLOGY='"tree"' -DGW_TOPOLOGY_ID=TOPOLOGY_PLUGIN_TREE
topology_tree_la_LDFLAGS = $(PLUGIN_LDFLAGS)
topology_tree_la_LIBADD = libgangway.la
topology_block_la_SOURCES = $(TOPOLOGY_SOURCES)
topology_block_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DGW_TOPOLOGY='"block"' -DGW_TOPOLOGY_ID=TOPOLOGY_PLUGIN_BLOCK
topology_block_la_LDFLAGS = $(PLUGIN_LDFLAGS)
topology_block_la_LIBADD = libgangway.la
topology_default_la_SOURCES = $(TOPOLOGY_SOURCES)
topology_default_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DGW_TOPOLOGY='"default"' -DGW_TOPOLOGY_ID=TOPOLOGY_PLUGIN_DEFAULT
topology_default_la_LDFLAGS = $(PLUGIN_LDFLAGS)
topology_default_la_LIBADD = libgangway.la
endif

# Both generations' files belong to the distribution, whatever is built.
EXTRA_DIST += plugins/select/choose_nodes.c plugins/topology/topology_shadow.c \
	plugins/topology/forward_24_11.h plugins/common/abi_probe.c

# The build gate: the headers must describe the records of the installed slurmctld.
plugins/abi.stamp: $(srcdir)/plugins/common/abi_probe.c $(srcdir)/tests/guards/abi-gate
	$(AM_V_GEN)$(MKDIR_P) plugins && \
	OBJDUMP='$(OBJDUMP)' NM='$(NM)' CC='$(CC)' CPPFLAGS='$(PLUGIN_CPPFLAGS)' \
		$(srcdir)/tests/guards/abi-gate $(srcdir)/plugins/common/abi_probe.c '$(GW_SLURM_PLUGINDIR)' && \
	touch $@
CLEANFILES += plugins/abi.stamp
BUILT_SOURCES += plugins/abi.stamp

# Libtool's archives are of no use to dlopen().
install-data-hook:
	rm -f $(DESTDIR)$(gwplugindir)/*.la
uninstall-hook:
	-rm -f $(DESTDIR)$(gwplugindir)/*.so && rmdir $(DESTDIR)$(gwplugindir)

endif
