// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway replay as JSON. Metrics that are parts are from 0 to 1; NaN is null. */
#include <math.h>

#include "replay_figures.h"

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_of_figure(struct gw_figure figure)
{
	return json_pack("{s:o, s:o}", "mean", real(figure.mean), "sd", real(figure.sd));
}

static json_t *json_of_waits(const struct gw_replay *replay, const struct gw_replay_row *row,
			     enum gw_waits_of of, size_t index)
{
	struct gw_sim_waits waits = gw_replay_waits(replay, row, of, index);
	double none = waits.count ? 1 : NAN;

	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "jobs", (json_int_t)waits.count,
			 "mean_s", real(none * waits.mean), "p50_s", real(none * waits.p50),
			 "p95_s", real(none * waits.p95), "p99_s", real(none * waits.p99), "max_s",
			 real(none * waits.max));
}

static json_t *json_of_classes(const struct gw_replay *replay, const struct gw_replay_row *row)
{
	json_t *classes = json_array();

	for (size_t i = 0; i < row->result->class_count; i++) {
		json_t *one = json_of_waits(replay, row, GW_WAITS_CLASS, i), *sizes = json_array();

		for (size_t k = 0; k < GW_SIM_SIZES; k++) {
			json_t *size = json_of_waits(replay, row, GW_WAITS_CLASS_SIZE,
						     i * GW_SIM_SIZES + k);

			json_object_set_new(size, "gpus", json_string(gw_sim_size_name(k)));
			json_array_append_new(sizes, size);
		}
		json_object_set_new(one, "class", json_string(gw_replay_class_name(row, i)));
		json_object_set_new(one, "sizes", sizes);
		json_array_append_new(classes, one);
	}
	return classes;
}

static json_t *json_of_sizes(const struct gw_replay *replay, const struct gw_replay_row *row)
{
	json_t *sizes = json_array();

	for (size_t i = 0; i < GW_SIM_SIZES; i++) {
		json_t *one = json_of_waits(replay, row, GW_WAITS_SIZE, i);

		json_object_set_new(one, "gpus", json_string(gw_sim_size_name(i)));
		json_array_append_new(sizes, one);
	}
	return sizes;
}

static json_t *json_of_queues(const struct gw_replay *replay, const struct gw_replay_row *row)
{
	json_t *queues = json_array();

	for (size_t i = 0; i < row->result->queue_count; i++) {
		json_t *one = json_of_waits(replay, row, GW_WAITS_QUEUE, i);

		json_object_set_new(one, "queue", json_string(gw_replay_queue_name(row, i)));
		json_object_set_new(one, "weight", real(row->policy.conf->queues[i].weight));
		json_array_append_new(queues, one);
	}
	return queues;
}

static json_t *json_of_row(const struct gw_replay *replay, const struct gw_replay_row *row)
{
	json_t *one = json_object(), *waits = json_object();

	json_object_set_new(one, "policy", json_string(row->name));
	json_object_set_new(one, "limits", json_string(gw_replay_limits_name(row->limits)));
	json_object_set_new(one, "load", json_real(row->load));
	for (size_t i = 0; i < GW_METRIC_COUNT; i++)
		json_object_set_new(one, gw_metrics[i].key,
				    json_of_figure(gw_replay_figure(replay, row, &gw_metrics[i])));
	json_object_set_new(waits, "all", json_of_waits(replay, row, GW_WAITS_ALL, 0));
	json_object_set_new(waits, "classes", json_of_classes(replay, row));
	json_object_set_new(waits, "sizes", json_of_sizes(replay, row));
	json_object_set_new(waits, "queues", json_of_queues(replay, row));
	json_object_set_new(one, "waits", waits);
	json_object_set_new(one, "left_out", json_integer((json_int_t)row->result->left_out));
	json_object_set_new(one, "outside", json_integer((json_int_t)row->result->outside));
	return one;
}

static json_t *json_of_gap(const struct gw_replay *replay, const struct gw_replay_row *ours,
			   const struct gw_replay_row *peer, const struct gw_replay_row *bound)
{
	json_t *one = json_object();

	json_object_set_new(one, "ours", json_string(ours->label));
	json_object_set_new(one, "peer", json_string(peer->label));
	for (size_t i = 0; i < GW_METRIC_COUNT; i++)
		if (gw_metric_has_gap(&gw_metrics[i]))
			json_object_set_new(
				one, gw_metrics[i].key,
				real(gw_gap_closed(replay, ours, peer, bound, &gw_metrics[i])));
	return one;
}

static json_t *json_of_gaps(const struct gw_replay *replay)
{
	json_t *gaps = json_array();

	for (size_t i = 0; i < replay->row_count; i++) {
		const struct gw_replay_row *ours = &replay->row[i];
		const struct gw_replay_row *bound = gw_replay_bound(replay, ours);

		if (!bound || !gw_replay_is_ours(ours))
			continue;
		for (size_t k = 0; k < replay->row_count; k++)
			if (gw_replay_is_peer(ours, &replay->row[k]))
				json_array_append_new(
					gaps, json_of_gap(replay, ours, &replay->row[k], bound));
	}
	return gaps;
}

static json_t *json_of_problems(const struct gw_trace *trace)
{
	json_t *problems = json_array();

	for (unsigned int i = 0; i < GW_TRACE_PROBLEM_COUNT; i++) {
		if (!trace->problems[i])
			continue;
		json_array_append_new(problems, json_pack("{s:s, s:I, s:s}", "problem",
							  gw_trace_problem_name(i), "records",
							  (json_int_t)trace->problems[i], "rule",
							  gw_trace_problem_text(i)));
	}
	return problems;
}

static json_t *json_of_input(const struct gw_replay *replay)
{
	const struct gw_trace *trace = &replay->trace;
	json_t *input = json_object();

	json_object_set_new(input, "trace", json_string(replay->trace_name));
	json_object_set_new(input, "jobs", json_integer((json_int_t)trace->count));
	json_object_set_new(input, "first_submit", json_integer(trace->job[0].submit));
	json_object_set_new(input, "last_submit",
			    json_integer(trace->job[trace->count - 1].submit));
	json_object_set_new(input, "cluster", json_string(replay->model_name));
	json_object_set_new(input, "nodes", json_integer((json_int_t)replay->model.node_count));
	json_object_set_new(input, "gpus",
			    json_integer((json_int_t)gw_replay_gpus(&replay->model)));
	json_object_set_new(input, "first_seed", json_integer(replay->seed_first));
	json_object_set_new(input, "seeds", json_integer(replay->seed_count));
	json_object_set_new(input, "jitter_s", json_integer(replay->options.jitter));
	json_object_set_new(input, "warmup", json_real(replay->options.warmup));
	return input;
}

int gw_replay_print_json(const struct gw_replay *replay)
{
	json_t *root = json_object(), *rows = json_array();

	for (size_t i = 0; i < replay->row_count; i++)
		json_array_append_new(rows, json_of_row(replay, &replay->row[i]));
	json_object_set_new(root, "input", json_of_input(replay));
	json_object_set_new(root, "rows", rows);
	json_object_set_new(root, "gap_closed", json_of_gaps(replay));
	json_object_set_new(root, "problems", json_of_problems(&replay->trace));
	return gw_json_print(root, stdout);
}
