// SPDX-License-Identifier: GPL-2.0-or-later
/* Accounts: the integral of one queue and flavor, and how names find it. */
#include "ledger_impl.h"

#include <math.h>
#include <stdlib.h>

/* ln 2 * dt / H: by expm1() of it, one second out of a week is not rounded away. */
static double decay_exponent(int64_t half_life, int64_t seconds)
{
	return half_life == GW_TIME_NONE ? 0 : log(2) * (double)seconds / (double)half_life;
}

/* What a rate of 1 adds in so many seconds, seen from their end. */
static double accrued(int64_t half_life, int64_t seconds)
{
	if (half_life == GW_TIME_NONE)
		return (double)seconds;
	return (double)half_life / log(2) * -expm1(-decay_exponent(half_life, seconds));
}

double gw_account_usage(const struct gw_account *account, int64_t half_life, int64_t at)
{
	int64_t seconds = at - account->at;

	if (seconds <= 0)
		return account->usage;
	return account->usage * exp(-decay_exponent(half_life, seconds)) +
	       account->rate * accrued(half_life, seconds);
}

void gw_account_advance(struct gw_account *account, int64_t half_life, int64_t to)
{
	if (to <= account->at)
		return;
	account->usage = gw_account_usage(account, half_life, to);
	account->at = to;
}

void gw_account_correct(struct gw_account *account, int64_t half_life, double rate, int64_t from,
			int64_t to)
{
	if (to > account->at)
		to = account->at;
	if (from >= to)
		return;
	account->usage += rate * accrued(half_life, to - from) *
			  exp(-decay_exponent(half_life, account->at - to));
	if (account->usage < 0)
		account->usage = 0;
}

/* Adding and taking away leaves a rest in the last bits: with no job left the rate is 0. */
void gw_account_rate(struct gw_account *account, double by)
{
	account->rate += by;
	if (!account->jobs || account->rate < 0)
		account->rate = 0;
}

static const char *flavor_name(const struct gw_conf *conf, int32_t flavor)
{
	return flavor == GW_INDEX_NONE ? "" : conf->flavors[flavor].name;
}

static int32_t flavor_by_name(const struct gw_conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->flavor_count; i++)
		if (gw_same(conf->flavors[i].name, name))
			return (int32_t)i;
	return GW_INDEX_NONE;
}

/* The line an account belongs to, or GW_NO_INDEX when its queue or flavor is not configured. */
static size_t line_of(const struct gw_conf *conf, const struct gw_account *account)
{
	int32_t flavor = flavor_by_name(conf, account->flavor);

	if (account->flavor[0] && flavor == GW_INDEX_NONE)
		return GW_NO_INDEX;
	for (size_t i = 0; i < conf->queue_count; i++)
		if (gw_same(conf->queues[i].name, account->queue))
			return gw_line(conf, (int32_t)i, flavor);
	return GW_NO_INDEX;
}

void gw_ledger_map(const struct gw_ledger *ledger, const struct gw_conf *conf, size_t *account_of)
{
	size_t lines = gw_lines(conf);

	for (size_t i = 0; i < lines; i++)
		account_of[i] = GW_NO_INDEX;
	for (size_t i = 0; i < ledger->account_count; i++) {
		size_t line = line_of(conf, &ledger->account[i]);

		ledger->account[i].line = line;
		if (line != GW_NO_INDEX)
			account_of[line] = i;
	}
}

static size_t account_add(struct gw_ledger *ledger, const char *queue, const char *flavor,
			  struct gw_error *error)
{
	struct gw_account *accounts =
		gw_array_room(ledger->account, ledger->account_count, sizeof(*accounts));
	struct gw_account made = {.queue = gw_strdup(queue), .flavor = gw_strdup(flavor)};

	if (accounts)
		ledger->account = accounts;
	if (!accounts || !made.queue || !made.flavor) {
		free(made.queue);
		free(made.flavor);
		gw_error_memory(error);
		return GW_NO_INDEX;
	}
	made.at = ledger->now;
	made.line = GW_NO_INDEX;
	accounts[ledger->account_count] = made;
	return ledger->account_count++;
}

size_t gw_ledger_account(struct gw_ledger *ledger, const char *queue, const char *flavor,
			 struct gw_error *error)
{
	for (size_t i = 0; i < ledger->account_count; i++)
		if (gw_same(ledger->account[i].queue, queue) &&
		    gw_same(ledger->account[i].flavor, flavor))
			return i;
	return account_add(ledger, queue, flavor, error);
}

size_t gw_ledger_account_at(struct gw_ledger *ledger, int32_t queue, int32_t flavor,
			    struct gw_error *error)
{
	const struct gw_conf *conf = ledger->conf;
	size_t line = gw_line(conf, queue, flavor), account;

	if (line == GW_NO_INDEX) {
		gw_error_set(error, "no queue %d or flavor %d is configured", queue, flavor);
		return GW_NO_INDEX;
	}
	account = ledger->account_of[line];
	if (account != GW_NO_INDEX)
		return account;
	account = gw_ledger_account(ledger, conf->queues[queue].name, flavor_name(conf, flavor),
				    error);
	if (account == GW_NO_INDEX)
		return GW_NO_INDEX;
	ledger->account[account].line = line;
	ledger->account_of[line] = account;
	return account;
}
