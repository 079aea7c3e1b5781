// SPDX-License-Identifier: GPL-2.0-or-later
/* What leaves an object built with -fvisibility=hidden: the engine's calls and plugin symbols. */
#ifndef GW_EXPORT_H
#define GW_EXPORT_H

#define GW_EXPORT __attribute__((visibility("default")))

#endif
