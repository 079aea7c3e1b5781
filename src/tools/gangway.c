// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway: one command, a table of subcommands. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "gangway_config.h"

static const struct gw_command commands[] = {
	{"check", "find what is wrong in gangway.conf and slurm.conf, offline", gw_cmd_check},
	{"learn", "learn from accounting how long jobs run", gw_cmd_learn},
	{"off", "turn Gangway off at once, and show the way out of slurm.conf", gw_cmd_off},
	{"queues", "show pools, quotas, queues and who is next", gw_cmd_queues},
	{"repeat", "make recorded decisions again and compare", gw_cmd_repeat},
	{"replay", "show what another policy would have done with recorded jobs", gw_cmd_replay},
	{"status", "show what Gangway in slurmctld says of itself", gw_cmd_status},
	{"topo", "show the inside of a node, and gres.conf lines for it", gw_cmd_topo},
	{"usage", "show what queues used, and compare it with accounting", gw_cmd_usage},
	{"why", "tell why a job waits and what would start it", gw_cmd_why},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static int usage(FILE *file, int code)
{
	fprintf(file, "usage: gangway COMMAND [options]\n\ncommands:\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(file, "  %-8s %s\n", commands[i].name, commands[i].help);
	fprintf(file,
		"\ngangway COMMAND --help shows its options; gangway --version the version.\n");
	return code;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(name, commands[i].name))
			return commands[i].run(&commands[i], argc - 2, argv + 2);
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
		return usage(stdout, GW_EXIT_OK);
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		printf("gangway %s\n", PACKAGE_VERSION);
		return GW_EXIT_OK;
	}
	if (*name)
		fprintf(stderr, "gangway: %s: unknown command\n", name);
	return usage(stderr, GW_EXIT_USAGE);
}
