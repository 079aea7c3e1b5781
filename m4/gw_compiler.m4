dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl GW_COMPILER_OPTIONS: warnings, --enable-werror, --enable-sanitizers=LIST, --enable-coverage.
AC_DEFUN([GW_COMPILER_OPTIONS], [
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [treat warnings as errors (CI)])])
AC_ARG_ENABLE([sanitizers], [AS_HELP_STRING([--enable-sanitizers@<:@=LIST@:>@],
	[build with sanitizers (default LIST: address,undefined)])])
AC_ARG_ENABLE([coverage], [AS_HELP_STRING([--enable-coverage], [build for gcov])])
GW_CFLAGS="-std=gnu11 -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow -fvisibility=hidden"
AS_IF([test "x$enable_werror" = xyes], [GW_CFLAGS="$GW_CFLAGS -Werror"])
AS_CASE([$enable_sanitizers],
	[''|no], [],
	[yes], [gw_sanitizers=address,undefined],
	[gw_sanitizers=$enable_sanitizers])
AS_IF([test -n "$gw_sanitizers"],
	[GW_CFLAGS="$GW_CFLAGS -fsanitize=$gw_sanitizers -fno-omit-frame-pointer -fno-sanitize-recover=undefined"])
AS_IF([test "x$enable_coverage" = xyes], [GW_CFLAGS="$GW_CFLAGS --coverage -O0"])
AC_SUBST([GW_CFLAGS])
])
