// SPDX-License-Identifier: GPL-2.0-or-later
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MINUTE   60
#define HOUR     3600
#define DAY      86400
#define DAYS_MAX 36525

#define DIGITS_MAX 18 /* always fits an int64_t */

/* Reads digits at *text and moves it past them. */
static bool take_number(const char **text, int64_t *number)
{
	int digits = 0;
	int64_t sum = 0;

	for (; gw_is_digit(**text); (*text)++) {
		if (++digits > DIGITS_MAX)
			return false;
		sum = sum * 10 + (**text - '0');
	}
	*number = sum;
	return digits > 0;
}

static bool take_char(const char **text, char c)
{
	if (**text != c)
		return false;
	(*text)++;
	return true;
}

/* Up to three numbers with colons between, to the end of the text. Returns how many, or 0. */
static int take_fields(const char *text, int64_t field[3])
{
	int count = 0;

	do {
		if (count == 3 || !take_number(&text, &field[count]))
			return 0;
		count++;
	} while (take_char(&text, ':'));
	return *text ? 0 : count;
}

/* The part after "days-": hours[:minutes[:seconds]]. */
static bool parse_after_days(const char *text, int64_t days, int64_t *seconds)
{
	int64_t field[3] = {0};

	if (days > DAYS_MAX || !take_fields(text, field))
		return false;
	if (field[0] > 23 || field[1] > 59 || field[2] > 59)
		return false;
	*seconds = days * DAY + field[0] * HOUR + field[1] * MINUTE + field[2];
	return true;
}

/* minutes, minutes:seconds or hours:minutes:seconds. */
static bool parse_without_days(const char *text, int64_t *seconds)
{
	static const int64_t unit[4][3] = {{0}, {MINUTE}, {MINUTE, 1}, {HOUR, MINUTE, 1}};
	int64_t field[3] = {0}, sum = 0;
	int count = take_fields(text, field);

	if (!count)
		return false;
	for (int i = 0; i < count; i++) {
		if (field[i] > (int64_t)DAYS_MAX * DAY || (i > 0 && field[i] > 59))
			return false;
		sum += field[i] * unit[count][i];
	}
	*seconds = sum;
	return true;
}

static bool parse_span(const char *text, int64_t *seconds)
{
	const char *rest = text;
	int64_t days, span;
	bool good;

	if (take_number(&rest, &days) && take_char(&rest, '-'))
		good = parse_after_days(rest, days, &span);
	else
		good = parse_without_days(text, &span);
	if (!good || span > (int64_t)DAYS_MAX * DAY)
		return false;
	*seconds = span;
	return true;
}

int gw_parse_time(const char *text, unsigned int allow, int64_t *seconds, struct gw_error *error)
{
	if ((allow & GW_TIME_MAY_BE_INFINITE) &&
	    (gw_same(text, "INFINITE") || gw_same(text, "UNLIMITED"))) {
		*seconds = GW_TIME_INFINITE;
		return 0;
	}
	if ((allow & GW_TIME_MAY_BE_NONE) && gw_same(text, "NONE")) {
		*seconds = GW_TIME_NONE;
		return 0;
	}
	if (parse_span(text, seconds))
		return 0;
	return gw_error_set(error,
			    "must be a time such as 90 (minutes), 01:30:00 or 7-00:00:00%s%s",
			    allow & GW_TIME_MAY_BE_INFINITE ? ", or INFINITE" : "",
			    allow & GW_TIME_MAY_BE_NONE ? ", or NONE" : "");
}

void gw_str_append_time(struct gw_str *str, int64_t seconds)
{
	long long days = seconds / DAY;
	int hours = (int)(seconds % DAY / HOUR), minutes = (int)(seconds % HOUR / MINUTE);

	if (seconds == GW_TIME_INFINITE) {
		gw_str_append(str, "INFINITE");
		return;
	}
	if (seconds < 0) {
		gw_str_append(str, "NONE");
		return;
	}
	if (days)
		gw_str_appendf(str, "%lld-", days);
	gw_str_appendf(str, "%02d:%02d:%02d", hours, minutes, (int)(seconds % MINUTE));
}

/* Exactly width digits, at most max. */
static bool take_fixed(const char **text, int width, int64_t max, int64_t *number)
{
	const char *begin = *text;

	return take_number(text, number) && *text - begin == width && *number <= max;
}

static int64_t days_in_month(int64_t year, int64_t month)
{
	static const int8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

/* Days from 1970-01-01; the year is taken to begin in March, so that leap days come last. */
static int64_t days_since_1970(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month > 2 ? year : year - 1;
	int64_t month_from_march = (month + 9) % 12;

	return y * 365 + y / 4 - y / 100 + y / 400 + (month_from_march * 153 + 2) / 5 + day - 1 -
	       719468;
}

static bool parse_clock(const char *text, int64_t *seconds)
{
	int64_t hour, minute, second = 0;

	if (!take_fixed(&text, 2, 23, &hour) || !take_char(&text, ':') ||
	    !take_fixed(&text, 2, 59, &minute))
		return false;
	if (take_char(&text, ':') && !take_fixed(&text, 2, 59, &second))
		return false;
	*seconds = hour * HOUR + minute * MINUTE + second;
	return *text == '\0';
}

static bool parse_civil(const char *text, int64_t *civil)
{
	int64_t year, month, day, clock = 0;

	if (!take_fixed(&text, 4, 9999, &year) || !take_char(&text, '-') ||
	    !take_fixed(&text, 2, 12, &month) || !take_char(&text, '-') ||
	    !take_fixed(&text, 2, 31, &day))
		return false;
	if (year < 1970 || month < 1 || day < 1 || day > days_in_month(year, month))
		return false;
	if (*text && (!take_char(&text, 'T') || !parse_clock(text, &clock)))
		return false;
	*civil = days_since_1970(year, month, day) * DAY + clock;
	return true;
}

int gw_parse_date(const char *text, int64_t *civil, struct gw_error *error)
{
	if (parse_civil(text, civil))
		return 0;
	return gw_error_set(error, "must be a date, YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS");
}

int64_t gw_civil_time(time_t when)
{
	struct tm tm;

	localtime_r(&when, &tm);
	return (int64_t)timegm(&tm);
}

int gw_parse_count(const char *text, uint64_t *count, struct gw_error *error)
{
	int64_t number;

	if (!take_number(&text, &number) || *text)
		return gw_error_set(error, "must be a whole number");
	*count = (uint64_t)number;
	return 0;
}

int gw_parse_count_k(const char *text, uint64_t *count, struct gw_error *error)
{
	size_t length = strlen(text);
	bool times_1024 = length && gw_to_lower(text[length - 1]) == 'k';
	char *digits = gw_strndup(text, length - times_1024);
	uint64_t number = 0;
	int failed;

	if (!digits)
		return gw_error_memory(error);
	failed = gw_parse_count(digits, &number, error);
	free(digits);
	if (failed)
		return -1;
	if (times_1024 && number > INT64_MAX / 1024)
		return gw_error_set(error, "must be a whole number");
	*count = times_1024 ? number * 1024 : number;
	return 0;
}

/* strtod() alone would take NaN, infinity, hexadecimal and leading blanks. */
static bool looks_decimal(const char *text)
{
	int digits = 0;

	if (*text == '-' || *text == '+')
		text++;
	for (; gw_is_digit(*text); text++)
		digits++;
	if (take_char(&text, '.'))
		for (; gw_is_digit(*text); text++)
			digits++;
	if (!digits)
		return false;
	if (take_char(&text, 'e') || take_char(&text, 'E')) {
		int64_t exponent;

		if (*text == '-' || *text == '+')
			text++;
		if (!take_number(&text, &exponent))
			return false;
	}
	return *text == '\0';
}

int gw_parse_double(const char *text, double *number, struct gw_error *error)
{
	double parsed;
	char *end;

	if (!looks_decimal(text))
		return gw_error_set(error, "must be a number such as 2 or 0.4");
	parsed = strtod(text, &end);
	if (*end || !isfinite(parsed))
		return gw_error_set(error, "must be a number such as 2 or 0.4");
	*number = parsed;
	return 0;
}

int gw_parse_size(const char *text, double *mib, struct gw_error *error)
{
	static const struct {
		char suffix;
		double mib;
	} units[] = {{'k', 1.0 / 1024}, {'m', 1}, {'g', 1024}, {'t', 1048576}, {'p', 1073741824}};
	char digits[32];
	size_t length = strlen(text);
	double unit = 1, number;

	for (size_t i = 0; length && i < sizeof(units) / sizeof(units[0]); i++) {
		if (gw_to_lower(text[length - 1]) == units[i].suffix) {
			unit = units[i].mib;
			length--;
			break;
		}
	}
	if (length >= sizeof(digits))
		return gw_error_set(error, "must be a size such as 512M or 64G");
	memcpy(digits, text, length);
	digits[length] = '\0';
	if (gw_parse_double(digits, &number, NULL) || number < 0)
		return gw_error_set(error, "must be a size such as 512M or 64G");
	*mib = number * unit;
	return 0;
}

int gw_parse_bool(const char *text, bool *value, struct gw_error *error)
{
	static const struct {
		const char *word;
		bool value;
	} words[] = {{"yes", true},    {"no", false}, {"true", true},
		     {"false", false}, {"1", true},   {"0", false}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (gw_same(text, words[i].word)) {
			*value = words[i].value;
			return 0;
		}
	}
	return gw_error_set(error, "must be yes or no");
}

/* Mon to Sun; three letters, as Slurm and cron write them. */
static bool take_day(const char **text, int *day)
{
	static const char names[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

	for (int i = 0; i < 7; i++) {
		if (gw_same_n(*text, names[i], 3)) {
			*text += 3;
			*day = i;
			return true;
		}
	}
	return false;
}

static bool take_days(const char **text, uint8_t *days)
{
	*days = 0;
	do {
		int first, last;

		if (!take_day(text, &first))
			return false;
		last = first;
		if (take_char(text, '-') && !take_day(text, &last))
			return false;
		for (int day = first;; day = (day + 1) % 7) {
			*days |= (uint8_t)(1U << day);
			if (day == last)
				break;
		}
	} while (take_char(text, ','));
	return true;
}

static bool take_minute(const char **text, int64_t *minute)
{
	int64_t hour, rest;

	if (!take_fixed(text, 2, 24, &hour) || !take_char(text, ':') ||
	    !take_fixed(text, 2, 59, &rest))
		return false;
	*minute = hour * 60 + rest;
	return *minute <= GW_MINUTES_A_DAY;
}

int gw_parse_week_window(const char *text, struct gw_week_window *window, struct gw_error *error)
{
	uint8_t days;
	int64_t begin, end;

	if (!take_days(&text, &days) || !take_char(&text, '/') || !take_minute(&text, &begin) ||
	    begin == GW_MINUTES_A_DAY || !take_char(&text, '-') || !take_minute(&text, &end) ||
	    *text || begin == end)
		return gw_error_set(error, "must be DAYS/HH:MM-HH:MM, such as Mon-Fri/09:00-21:00 "
					   "or Sat,Sun/00:00-24:00");
	if (end < begin)
		end += GW_MINUTES_A_DAY;
	*window = (struct gw_week_window){
		.days = days, .begin = (uint16_t)begin, .end = (uint16_t)end};
	return 0;
}

bool gw_week_window_has(const struct gw_week_window *window, unsigned int minute)
{
	for (unsigned int day = 0; day < 7; day++) {
		unsigned int midnight = day * GW_MINUTES_A_DAY;
		unsigned int since = (minute + GW_MINUTES_A_WEEK - midnight) % GW_MINUTES_A_WEEK;

		if ((window->days & (1U << day)) && since >= window->begin && since < window->end)
			return true;
	}
	return false;
}
