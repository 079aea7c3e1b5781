// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/number.h"

/* Site factors are kept as an unsigned number around NICE_OFFSET. */
#define GW_SITE_MAX ((int64_t)0x7fffffff)

static uint32_t site_factor(int64_t value)
{
	if (value > GW_SITE_MAX)
		value = GW_SITE_MAX;
	if (value < -GW_SITE_MAX)
		value = -GW_SITE_MAX;
	return (uint32_t)(value + NICE_OFFSET);
}

uint32_t gw_number_set(job_record_t *job, uint32_t number, gw_stock_priority *stock)
{
	int64_t natural;

	/* The sum without a site factor may be below 1, where multifactor cuts: measure it high. */
	job->site_factor = site_factor(GW_SITE_MAX);
	natural = (int64_t)stock(job) - GW_SITE_MAX;
	job->site_factor = site_factor((int64_t)number - natural);
	return stock(job);
}
