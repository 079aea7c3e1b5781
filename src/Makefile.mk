# SPDX-License-Identifier: GPL-2.0-or-later
# Included by Makefile.am. util and core are linked into the plugins, so they are PIC.

noinst_LTLIBRARIES += src/libgwutil.la src/libgwcore.la

src_libgwutil_la_SOURCES = \
	src/util/error.c src/util/error.h \
	src/util/file.c src/util/file.h \
	src/util/hostlist.c src/util/hostlist.h \
	src/util/parse.c src/util/parse.h \
	src/util/record.c src/util/record.h \
	src/util/str.c src/util/str.h \
	src/util/tres.c src/util/tres.h
src_libgwutil_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden

src_libgwcore_la_SOURCES = \
	src/core/conf.c src/core/conf.h \
	src/core/conf_check.c \
	src/core/conf_free.c \
	src/core/conf_impl.h \
	src/core/conf_keys.c \
	src/core/conf_limits.c \
	src/core/conf_value.c \
	src/core/conf_warn.c
src_libgwcore_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
src_libgwcore_la_LIBADD = src/libgwutil.la
