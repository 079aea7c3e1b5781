// SPDX-License-Identifier: GPL-2.0-or-later
/* One function a subcommand, each in its cmd_*.c. All return an enum gw_exit. */
#ifndef GW_TOOLS_COMMANDS_H
#define GW_TOOLS_COMMANDS_H

#include "output.h"

int gw_cmd_check(const struct gw_command *command, int argc, char **argv);
int gw_cmd_learn(const struct gw_command *command, int argc, char **argv);
int gw_cmd_off(const struct gw_command *command, int argc, char **argv);
int gw_cmd_queues(const struct gw_command *command, int argc, char **argv);
int gw_cmd_repeat(const struct gw_command *command, int argc, char **argv);
int gw_cmd_replay(const struct gw_command *command, int argc, char **argv);
int gw_cmd_status(const struct gw_command *command, int argc, char **argv);
int gw_cmd_topo(const struct gw_command *command, int argc, char **argv);
int gw_cmd_usage(const struct gw_command *command, int argc, char **argv);
int gw_cmd_why(const struct gw_command *command, int argc, char **argv);

#endif
