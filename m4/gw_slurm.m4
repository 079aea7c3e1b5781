dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl GW_SLURM_SOURCE: --with-slurm-src=DIR and --with-slurmctld=PATH.
dnl The plugins read slurmctld's internal records, so they are built from a source
dnl tree of exactly the version (major.minor.micro) of the slurmctld that loads them.
dnl Sets GW_SLURM_VERSION, SLURM_CPPFLAGS, GW_SLURM_SRC, GW_SLURM_BUILD, GW_SLURM_PLUGINDIR
dnl and the conditionals BUILD_PLUGINS, SLURM_HAS_TOPOLOGY_HOOK.
AC_DEFUN([GW_SLURM_SOURCE], [
AC_ARG_WITH([slurm-src], [AS_HELP_STRING([--with-slurm-src=DIR],
	[source tree of exactly the slurmctld the plugins are for (configured here if it is not);
	 contrib/get-slurm-src obtains one; --without-slurm-src builds the command only])],
	[], [with_slurm_src=unset])
AC_ARG_WITH([slurmctld], [AS_HELP_STRING([--with-slurmctld=PATH],
	[the slurmctld that will load the plugins (default: searched); --without-slurmctld
	 builds for a Slurm that is not installed here])],
	[], [with_slurmctld=search])
AC_ARG_WITH([slurm-plugindir], [AS_HELP_STRING([--with-slurm-plugindir=DIR],
	[directory of Slurm's own plugins (default: searched)])],
	[], [with_slurm_plugindir=search])

GW_SLURM_VERSION= GW_SLURM_SRC= GW_SLURM_BUILD= GW_SLURM_PLUGINDIR= GW_SLURMCTLD=
AS_CASE([$with_slurm_src],
	[unset|yes], [AC_MSG_ERROR([the plugins need Slurm's source: give --with-slurm-src=DIR (contrib/get-slurm-src VERSION DIR obtains it), or --without-slurm-src for the command alone])],
	[no], [],
	[GW_SLURM_FROM_TREE])

AC_SUBST([GW_SLURM_VERSION])
AC_SUBST([GW_SLURM_SRC])
AC_SUBST([GW_SLURM_BUILD])
AC_SUBST([GW_SLURM_PLUGINDIR])
AC_SUBST([GW_SLURMCTLD])
AC_SUBST([SLURM_CPPFLAGS])
AM_CONDITIONAL([BUILD_PLUGINS], [test -n "$GW_SLURM_VERSION"])
AM_CONDITIONAL([SLURM_HAS_TOPOLOGY_HOOK], [test "${gw_slurm_generation:-0}" -ge 2311])
])

dnl The part of GW_SLURM_SOURCE that runs when a directory was given.
AC_DEFUN([GW_SLURM_FROM_TREE], [
GW_SLURM_SRC=`cd "$with_slurm_src" 2>/dev/null && pwd`
AS_IF([test ! -f "$GW_SLURM_SRC/src/slurmctld/slurmctld.h"],
	[AC_MSG_ERROR([$with_slurm_src is not a Slurm source tree (no src/slurmctld/slurmctld.h): contrib/get-slurm-src obtains one])])
AC_MSG_CHECKING([Slurm version of the source tree])
GW_SLURM_VERSION=`$AWK '/^ *Version:/ {print $[]2}' "$GW_SLURM_SRC/META"`
AC_MSG_RESULT([$GW_SLURM_VERSION])
gw_slurm_generation=`echo "$GW_SLURM_VERSION" | $AWK -F. '{print $[]1 * 100 + $[]2}'`
AS_CASE([$gw_slurm_generation], [2205|2411], [],
	[AC_MSG_ERROR([Slurm $GW_SLURM_VERSION is not supported: this version of Gangway supports 22.05 and 24.11])])

AS_IF([test "x$with_slurmctld" != xno], [
	AS_IF([test "x$with_slurmctld" = xsearch],
		[AC_PATH_PROG([GW_SLURMCTLD], [slurmctld], [], [$PATH:/usr/sbin:/sbin:/usr/local/sbin])],
		[GW_SLURMCTLD=$with_slurmctld])
	AS_IF([test ! -x "$GW_SLURMCTLD"],
		[AC_MSG_ERROR([no slurmctld found: install it, give --with-slurmctld=PATH, or --without-slurmctld to build for a Slurm that is not installed here])])
	AC_MSG_CHECKING([version of $GW_SLURMCTLD])
	gw_installed=`"$GW_SLURMCTLD" -V 2>/dev/null | $AWK '{print $[]2}'`
	AC_MSG_RESULT([$gw_installed])
	AS_IF([test "x$gw_installed" != "x$GW_SLURM_VERSION"],
		[AC_MSG_ERROR([the source in $GW_SLURM_SRC is Slurm $GW_SLURM_VERSION but $GW_SLURMCTLD is $gw_installed: contrib/get-slurm-src $gw_installed DIR obtains the right one])])
	AC_MSG_CHECKING([directory of Slurm's own plugins])
	AS_IF([test "x$with_slurm_plugindir" = xsearch], [
		GW_SLURM_PLUGINDIR=
		for gw_dir in "/usr/lib/`$CC -print-multiarch 2>/dev/null`/slurm-wlm" /usr/lib64/slurm /usr/lib/slurm /usr/local/lib/slurm; do
			AS_IF([test -f "$gw_dir/select_cons_tres.so"], [GW_SLURM_PLUGINDIR=$gw_dir; break])
		done], [GW_SLURM_PLUGINDIR=$with_slurm_plugindir])
	AC_MSG_RESULT([${GW_SLURM_PLUGINDIR:-not found}])
	AS_IF([test ! -f "$GW_SLURM_PLUGINDIR/priority_basic.so"],
		[AC_MSG_ERROR([Slurm's own plugins were not found: give --with-slurm-plugindir=DIR])])
])

AS_IF([test -f "$GW_SLURM_SRC/config.h"], [GW_SLURM_BUILD=$GW_SLURM_SRC], [
	GW_SLURM_BUILD=`pwd`/slurm-config
	AS_IF([test ! -f "$GW_SLURM_BUILD/config.h"], [
		AC_MSG_NOTICE([configuring Slurm's source in slurm-config])
		mkdir -p "$GW_SLURM_BUILD"
		(cd "$GW_SLURM_BUILD" && env -u CFLAGS -u CPPFLAGS -u LDFLAGS "$GW_SLURM_SRC/configure" \
			--enable-multiple-slurmd --disable-debug --with-munge >configure.out 2>&1) ||
			AC_MSG_ERROR([Slurm's own configure failed: see slurm-config/configure.out])
	])
])
SLURM_CPPFLAGS="-isystem $GW_SLURM_BUILD -isystem $GW_SLURM_BUILD/slurm -isystem $GW_SLURM_SRC"
])
