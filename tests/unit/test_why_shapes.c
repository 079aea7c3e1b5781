// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/tools/why_shapes.h"

#include "unit.h"

#define RECORDS 6

static const char status[] = "Version=1 Slurm=22.05.8\n"
			     "Plugin=n1 Nodes=n1 File=none\n"
			     "Shape=hgx State=read Nodes=n[0-9] File=/e/hgx.xml\n"
			     "Shape=old State=kept Nodes=n[10-11] File=/e/old.xml\n"
			     "Shape=none State=bad Nodes=n12,n13 File=/e/none.xml\n"
			     "Shape=new State=waits Nodes=n14 File=/e/new.xml\n";

static const struct {
	const char *nodes, *text;
} rows[] = {
	{"n1", "ShapeName=hgx: GPUs of nodes n[0-9] are chosen by its file, /e/hgx.xml"},
	{"n11", "ShapeName=old: GPUs of nodes n[10-11] are chosen by the copy of its file that was "
		"read before, the file being bad, /e/old.xml"},
	{"n[13,20]",
	 "ShapeName=none: GPUs of nodes n12,n13 are chosen by gres.conf, its file being bad, "
	 "/e/none.xml"},
	{"n14", "ShapeName=new: GPUs of nodes n14 are chosen by Slurm until its file is read, "
		"/e/new.xml"},
	{"n[9-10]", "ShapeName=hgx: GPUs of nodes n[0-9] are chosen by its file, /e/hgx.xml; "
		    "ShapeName=old: GPUs of nodes n[10-11] are chosen by the copy of its file that "
		    "was read before, the file being bad, /e/old.xml"},
	{"n20", ""},
	{"n[", ""},
};

START_TEST(the_shapes_of_a_jobs_nodes_are_named)
{
	struct gw_record record[RECORDS];
	struct gw_record_reader reader;
	struct gw_error error = {{0}};
	struct gw_str text = {0};

	gw_record_reader_init(&reader, status);
	for (size_t i = 0; i < RECORDS; i++)
		ck_assert_int_eq(gw_record_next(&reader, &record[i], &error), 1);
	gw_why_shapes(record, RECORDS, rows[_i].nodes, &text);
	ck_assert_str_eq(gw_str_text(&text), rows[_i].text);
	gw_str_free(&text);
	for (size_t i = 0; i < RECORDS; i++)
		gw_record_free(&record[i]);
}
END_TEST

UNIT_MAIN("why_shapes", UNIT_ROWS(the_shapes_of_a_jobs_nodes_are_named, rows))
