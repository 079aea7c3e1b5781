// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay_plot.h"

#include <math.h>

#include "replay_axis.h"

/* Pixels of the drawing; the page scales it as a whole. */
#define LEFT        54
#define RIGHT       14
#define RIGHT_NAMES 130
#define TOP         10
#define BOTTOM      40
#define NAME_HEIGHT 15

struct frame {
	struct gw_scale x, y;
	double left, right, top, bottom;
};

/* Bytes of the UTF-8 character at text; 0: it is none that a page may have. */
static size_t character(const unsigned char *text)
{
	size_t length = text[0] < 0x80   ? 1
			: text[0] < 0xc2 ? 0
			: text[0] < 0xe0 ? 2
			: text[0] < 0xf0 ? 3
			: text[0] < 0xf5 ? 4
					 : 0;

	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if (length == 1)
		return text[0] >= 0x20 && text[0] != 0x7f;
	/* Surrogates, and what stands for no character. */
	if (length == 3 &&
	    ((text[0] == 0xed && text[1] >= 0xa0) || (text[0] == 0xe0 && text[1] < 0xa0) ||
	     (text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe)))
		return 0;
	if (length == 4 &&
	    ((text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90)))
		return 0;
	return length;
}

void gw_html_escape(struct gw_str *page, const char *text)
{
	while (*text) {
		size_t length = character((const unsigned char *)text);

		if (*text == '&')
			gw_str_append(page, "&amp;");
		else if (*text == '<')
			gw_str_append(page, "&lt;");
		else if (*text == '>')
			gw_str_append(page, "&gt;");
		else if (*text == '"')
			gw_str_append(page, "&quot;");
		else if (*text == '\'')
			gw_str_append(page, "&#39;");
		else if (length)
			gw_str_append_n(page, text, length);
		else
			gw_str_append(page, "?");
		text += length ? length : 1;
	}
}

static void open_svg(struct gw_str *page, const char *title, int width, int height)
{
	gw_str_appendf(page,
		       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
		       "role=\"img\" aria-label=\"",
		       width, height);
	gw_html_escape(page, title);
	gw_str_append(page, "\">\n");
}

static void append_text(struct gw_str *page, double x, double y, const char *style,
			const char *text)
{
	gw_str_appendf(page, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, style);
	gw_html_escape(page, text);
	gw_str_append(page, "</text>\n");
}

static void append_x_axis(struct gw_str *page, const struct frame *frame)
{
	struct gw_tick ticks[GW_TICKS_MAX];
	size_t count = gw_axis_ticks(&frame->x, 44, ticks);

	for (size_t i = 0; i < count; i++) {
		double x = gw_scale_at(&frame->x, ticks[i].at);

		gw_str_appendf(page,
			       "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" "
			       "class=\"grid\"/>\n",
			       x, x, frame->top, frame->bottom);
		append_text(page, x, frame->bottom + 15, "tick mid", ticks[i].text);
	}
	append_text(page, (frame->left + frame->right) / 2, frame->bottom + 33, "axis mid",
		    frame->x.axis->title);
}

static void append_y_axis(struct gw_str *page, const struct frame *frame)
{
	struct gw_tick ticks[GW_TICKS_MAX];
	size_t count = gw_axis_ticks(&frame->y, 32, ticks);
	double middle = (frame->top + frame->bottom) / 2;

	for (size_t i = 0; i < count; i++) {
		double y = gw_scale_at(&frame->y, ticks[i].at);

		gw_str_appendf(page,
			       "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" "
			       "class=\"grid\"/>\n",
			       frame->left, frame->right, y, y);
		append_text(page, frame->left - 6, y + 4, "tick end", ticks[i].text);
	}
	gw_str_appendf(page,
		       "<text transform=\"translate(13 %.1f) rotate(-90)\" class=\"axis mid\">",
		       middle);
	gw_html_escape(page, frame->y.axis->title);
	gw_str_append(page, "</text>\n");
}

static void append_line(struct gw_str *page, const struct frame *frame, const struct gw_line *line)
{
	bool open = false;

	if (!line->count)
		return;
	gw_str_appendf(page, "<path class=\"%s %s\" d=\"", line->filled ? "area" : "line",
		       line->style);
	if (line->filled)
		gw_str_appendf(page, "M%.1f %.1f", gw_scale_at(&frame->x, line->x[0]),
			       frame->bottom);
	for (size_t i = 0; i < line->count; i++) {
		if (isnan(line->y[i])) {
			open = line->filled && open;
			continue;
		}
		gw_str_appendf(page, "%s%.1f %.1f", open || line->filled ? "L" : "M",
			       gw_scale_at(&frame->x, line->x[i]),
			       gw_scale_at(&frame->y, line->y[i]));
		open = true;
	}
	if (line->filled)
		gw_str_appendf(page, "L%.1f %.1fZ",
			       gw_scale_at(&frame->x, line->x[line->count - 1]), frame->bottom);
	gw_str_append(page, "\">");
	if (line->name) {
		gw_str_append(page, "<title>");
		gw_html_escape(page, line->name);
		gw_str_append(page, "</title>");
	}
	gw_str_append(page, "</path>\n");
}

static double last_height(const struct frame *frame, const struct gw_line *line)
{
	for (size_t i = line->count; i-- > 0;)
		if (!isnan(line->y[i]))
			return gw_scale_at(&frame->y, line->y[i]);
	return frame->bottom;
}

/* Names at the ends of the lines, pushed apart where they would stand on each other. */
static void append_names(struct gw_str *page, const struct frame *frame, const struct gw_plot *plot)
{
	bool done[GW_PLOT_COLOURS] = {false};
	double free_from = frame->top;
	size_t left = plot->line_count < GW_PLOT_COLOURS ? plot->line_count : GW_PLOT_COLOURS;

	for (size_t count = left; left; left--) {
		size_t next = count;
		double y, lowest;

		for (size_t i = 0; i < count; i++)
			if (!done[i] &&
			    (next == count || last_height(frame, &plot->line[i]) <
						      last_height(frame, &plot->line[next])))
				next = i;
		done[next] = true;
		lowest = frame->bottom - NAME_HEIGHT * (double)(left - 1);
		y = fmin(fmax(last_height(frame, &plot->line[next]), free_from), lowest);
		free_from = y + NAME_HEIGHT;
		gw_str_appendf(page, "<text x=\"%.1f\" y=\"%.1f\" class=\"name %s\">",
			       frame->right + 8, y + 4, plot->line[next].style);
		gw_html_escape(page, plot->line[next].name ? plot->line[next].name : "");
		gw_str_append(page, "</text>\n");
	}
}

static struct frame frame_of(const struct gw_plot *plot)
{
	struct frame frame = {.left = LEFT,
			      .right = plot->width - (plot->labels ? RIGHT_NAMES : RIGHT),
			      .top = TOP,
			      .bottom = plot->height - BOTTOM};

	frame.x = (struct gw_scale){&plot->x, frame.left, frame.right};
	frame.y = (struct gw_scale){&plot->y, frame.bottom, frame.top};
	return frame;
}

void gw_plot_lines(struct gw_str *page, const struct gw_plot *plot)
{
	struct frame frame = frame_of(plot);

	open_svg(page, plot->title, plot->width, plot->height);
	append_x_axis(page, &frame);
	append_y_axis(page, &frame);
	for (size_t i = 0; i < plot->line_count; i++)
		append_line(page, &frame, &plot->line[i]);
	if (plot->labels)
		append_names(page, &frame, plot);
	gw_str_append(page, "</svg>\n");
}
