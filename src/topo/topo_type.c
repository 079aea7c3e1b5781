// SPDX-License-Identifier: GPL-2.0-or-later
/* A short name for a kind of GPU, as sites write it in Gres=gpu:h100:8. */
#include <stdio.h>
#include <string.h>

#include "src/util/str.h"
#include "topo_impl.h"

#define NVIDIA 0x10de
#define AMD    0x1002

/* Those of the shapes and others that are common, where neither driver nor database names them. */
static const struct {
	uint16_t vendor, device;
	const char *type;
} known[] = {
	{NVIDIA, 0x1db1, "v100"}, {NVIDIA, 0x1db4, "v100"}, {NVIDIA, 0x1db5, "v100"},
	{NVIDIA, 0x1db6, "v100"}, {NVIDIA, 0x1db8, "v100"}, {NVIDIA, 0x1eb8, "t4"},
	{NVIDIA, 0x20b0, "a100"}, {NVIDIA, 0x20b2, "a100"}, {NVIDIA, 0x20b5, "a100"},
	{NVIDIA, 0x20f1, "a100"}, {NVIDIA, 0x2236, "a10"},  {NVIDIA, 0x2237, "a10g"},
	{NVIDIA, 0x2330, "h100"}, {NVIDIA, 0x2331, "h100"}, {NVIDIA, 0x2335, "h200"},
	{NVIDIA, 0x26b5, "l40"},  {NVIDIA, 0x26b9, "l40s"}, {NVIDIA, 0x27b8, "l4"},
	{AMD, 0x7408, "mi250x"},  {AMD, 0x740c, "mi250x"},  {AMD, 0x740f, "mi210"},
	{AMD, 0x74a1, "mi300x"},
};

static bool is_letter(char c)
{
	return gw_to_lower(c) >= 'a' && gw_to_lower(c) <= 'z';
}

/* Memory and form factors have letters and digits too: 80GB, HBM3, SXM4, PCIE4. */
static bool is_no_type(const char *word)
{
	static const char *const others[] = {"HBM", "SXM", "PCI", "GDDR", "NVL"};
	size_t length = strlen(word);

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (gw_same_n(word, others[i], strlen(others[i])))
			return true;
	return length > 2 && gw_same(word + length - 2, "GB");
}

static bool looks_like_type(const char *word)
{
	bool letter = false, digit = false;

	for (; *word; word++) {
		letter = letter || is_letter(*word);
		digit = digit || gw_is_digit(*word);
	}
	return letter && digit;
}

/* The first word with letters and digits; "RTX 4090" has them apart. */
static void find_word(const char *text, char *type, size_t size)
{
	static const char between[] = " -/()[]:,";
	char word[32], before[32] = "";

	type[0] = '\0';
	for (text += strspn(text, between); *text; text += strspn(text, between)) {
		size_t length = strcspn(text, between);

		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		text += length;
		if (is_no_type(word))
			continue;
		if (looks_like_type(word))
			snprintf(type, size, "%s", word);
		else if (gw_is_digit(word[0]) && before[0])
			snprintf(type, size, "%s%s", before, word);
		if (type[0])
			return;
		snprintf(before, sizeof(before), "%s", word);
	}
}

/* What a site's own name of a type is looked through for. */
static const char *const models[] = {
	"p100",  "v100",  "t4",     "a10",    "a30",    "a40",    "a100",
	"l4",    "l40",   "l40s",   "h100",   "h200",   "b200",   "b300",
	"mi100", "mi210", "mi250x", "mi300a", "mi300x", "mi325x", "mi355x",
};

const char *gw_topo_known_type(const char *text)
{
	const char *known_type = NULL;

	while (*text) {
		size_t length = 0;

		while (is_letter(text[length]) || gw_is_digit(text[length]))
			length++;
		for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
			if (strlen(models[i]) != length || !gw_same_n(text, models[i], length))
				continue;
			if (known_type && known_type != models[i])
				return NULL;
			known_type = models[i];
		}
		text += length ? length : 1;
	}
	return known_type;
}

void gw_topo_model_of(hwloc_obj_t pci, char model[GW_TOPO_NAME_SIZE])
{
	const char *name = NULL;

	for (hwloc_obj_t device = pci->io_first_child; device && !name;
	     device = device->next_sibling)
		if (device->name)
			name = hwloc_obj_get_info_by_name(device, "GPUModel");
	if (!name || !*name)
		name = hwloc_obj_get_info_by_name(pci, "PCIDevice");
	snprintf(model, GW_TOPO_NAME_SIZE, "%s", name ? name : "");
}

void gw_topo_type_of(const char *model, uint16_t vendor, uint16_t device, char *type, size_t size)
{
	/* The PCI database has the chip first: "GA100 [A100 SXM4 80GB]". */
	const char *bracket = strchr(model, '[');

	find_word(bracket ? bracket : model, type, size);
	for (size_t i = 0; !type[0] && i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].vendor == vendor && known[i].device == device)
			snprintf(type, size, "%s", known[i].type);
	for (char *c = type; *c; c++)
		*c = gw_to_lower(*c);
}
