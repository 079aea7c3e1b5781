// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The style sheet of the page. Colours are Okabe and Ito's, which people with any kind of colour
 * vision tell apart, made darker or lighter until they stand out from the page.
 */
#include "replay_page.h"

#define ROW_COLOURS(s0, s1, s2, s3, s4, s5, s6, s7)                                                \
	"--s0:" s0 ";--s1:" s1 ";--s2:" s2 ";--s3:" s3 ";--s4:" s4 ";--s5:" s5 ";--s6:" s6         \
	";--s7:" s7 ";"

static const char light[] =
	":root{color-scheme:light dark;--page:#ffffff;--card:#f5f6f8;--text:#1c2128;--soft:#57606a;"
	"--rule:#d8dee4;--grid:#e6e9ed;--good:#0b6b4f;--bad:#a33a00;--held:#7fb2d9;"
	"--short:#f0a07c;--due:#1c2128;" ROW_COLOURS("#0072b2", "#c24e00", "#00795a", "#a8437f",
						     "#8a6a00", "#5a4fcf", "#3f8fb5",
						     "#555555") "}";

static const char dark[] =
	"@media (prefers-color-scheme:dark){:root{--page:#14181d;--card:#1e242b;--text:#e8ebee;"
	"--soft:#a3adb8;--rule:#39424c;--grid:#2a323a;--good:#4ccfa4;--bad:#ff9a66;--held:#2f6a94;"
	"--short:#b3552b;--due:#f2f4f6;" ROW_COLOURS("#5cb8f0", "#ff9148", "#33c79b", "#e58fc0",
						     "#e0b93c", "#a79cf5", "#9fd8ee",
						     "#bdbdbd") "}}";

static const char text[] =
	"*{box-sizing:border-box}"
	"body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-"
	"system,\"Segoe UI\",Roboto,\"Noto Sans\",sans-serif}"
	"main,header,footer{max-width:72rem;margin:0 auto;padding:0 1.25rem}"
	"header{padding-top:2rem}footer{padding-bottom:3rem;color:var(--soft);font-size:.9rem}"
	"h1{font-size:1.7rem;line-height:1.2;margin:0 0 .3rem}"
	"h2{font-size:1.25rem;margin:2.6rem 0 .3rem}h3{font-size:1rem;margin:1.4rem 0 .2rem}"
	"p{margin:.3rem 0 .8rem;max-width:50rem}.soft{color:var(--soft)}"
	"dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.8rem "
	"0}"
	"dl.facts dt{color:var(--soft)}dl.facts dd{margin:0;overflow-wrap:anywhere}"
	"code{font:.88em/1.5 ui-monospace,\"DejaVu Sans Mono\",Menlo,monospace;"
	"overflow-wrap:anywhere}";

static const char tables[] =
	".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;"
	"font-variant-numeric:tabular-nums;margin:.6rem 0}"
	"th,td{padding:.32rem .5rem;text-align:right;white-space:nowrap}"
	"th:first-child,td:first-child{text-align:left;padding-left:0}"
	"tbody th{font-weight:600;text-align:left}"
	"thead th{border-bottom:1px solid var(--text);font-weight:600;vertical-align:bottom}"
	"thead th abbr{text-decoration:underline dotted;text-underline-offset:3px;cursor:help}"
	"tbody tr+tr>*{border-top:1px solid var(--rule)}td small,th "
	"small{color:var(--soft);font-weight:400}"
	"td.best{font-weight:700}details{margin:.8rem 0}summary{cursor:pointer;color:var(--soft)}"
	".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.8rem;"
	"margin:1rem 0}.card{background:var(--card);border-radius:.5rem;padding:.7rem .9rem}"
	".card b{display:block;font-size:1.5rem;line-height:1.25}.card span{display:block;"
	"font-size:.85rem;color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}";

static const char plots[] =
	"figure{margin:.8rem 0 1.4rem}figcaption{color:var(--soft);font-size:.9rem;max-width:50rem;"
	"margin-bottom:.4rem}svg{display:block;width:100%;height:auto}"
	".grid2{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));"
	"gap:.4rem "
	"1.4rem}"
	".many{display:grid;gap:.2rem 1rem;overflow-x:auto}.many h4{margin:.4rem 0 "
	"0;font-size:.85rem;"
	"font-weight:600}"
	"ul.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;margin:.2rem 0 "
	".5rem;"
	"padding:0;font-size:.9rem}ul.legend li{display:flex;align-items:center;gap:.4rem}"
	"ul.legend svg{width:28px;height:12px}"
	"svg text{font:12px system-ui,\"Segoe UI\",Roboto,\"Noto "
	"Sans\",sans-serif;fill:var(--text)}"
	"svg .tick,svg .axis{fill:var(--soft)}svg .mid{text-anchor:middle}svg .end{text-anchor:end}"
	"svg .name{font-weight:600}svg .group{font-weight:600}"
	".grid{stroke:var(--grid);stroke-width:1}.line{fill:none;stroke-width:1.8;"
	"stroke-linejoin:round}.area{stroke:none}.line.bound,.range.bound{stroke-dasharray:5 3}"
	".range{stroke-width:2.5;stroke-opacity:.55}.hollow{fill:var(--page);stroke-width:1.6}"
	".line.held,.area.held{fill:var(--held)}.area.short{fill:var(--short)}"
	".line.due{stroke:var(--due);stroke-width:1.3}"
	"@media print{.wide,.many{overflow:visible}}";

static void append_row_style(struct gw_str *page, int i)
{
	gw_str_appendf(page,
		       ".line.s%d,.range.s%d,.hollow.s%d{stroke:var(--s%d)}"
		       ".dot.s%d,svg .name.s%d{fill:var(--s%d)}\n",
		       i, i, i, i, i, i, i);
}

void gw_page_style(struct gw_str *page)
{
	const char *const parts[] = {light, dark, text, tables, plots};

	gw_str_append(page, "<style>\n");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		gw_str_append(page, parts[i]);
		gw_str_append(page, "\n");
	}
	for (int i = 0; i < GW_PLOT_COLOURS; i++)
		append_row_style(page, i);
	gw_str_append(page, "</style>\n");
}
