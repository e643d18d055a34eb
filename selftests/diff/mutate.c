// SPDX-License-Identifier: Apache-2.0
/*
 * Changes to a frame, most of them where headers have their fields.
 */
#include <string.h>

#include "gen.h"

static const uint8_t edges[] = {0,    1,    2,	  3,	4,    5,    6,	  8,	0x0f,
				0x11, 0x1f, 0x20, 0x3a, 0x3f, 0x40, 0x45, 0x46, 0x60,
				0x7f, 0x80, 0x81, 0x86, 0x87, 0x88, 0xfe, 0xff};

static size_t near_the_headers(struct gen *g)
{
	size_t limit = g->len < 110 ? g->len : 110;

	return limit ? gen_random(g, (uint32_t)limit) : 0;
}

static void one(struct gen *g)
{
	size_t at = near_the_headers(g);

	switch (gen_random(g, 10)) {
	case 0:
		g->data[at] ^= (uint8_t)(1U << gen_random(g, 8));
		break;
	case 1:
		g->data[at] = (uint8_t)gen_random(g, 256);
		break;
	case 2:
	case 3:
		g->data[at] = edges[gen_random(g, sizeof(edges))];
		break;
	case 4: /* lengths that are off by a little */
		g->data[at] = (uint8_t)(g->data[at] + gen_random(g, 9) - 4);
		break;
	case 5: /* cut */
		if (g->len > 14)
			g->len = 14 + gen_random(g, (uint32_t)(g->len - 13));
		break;
	case 6: /* trailing bytes that no header speaks of */
		if (g->len + 64 < GEN_MAX) {
			size_t more = 1 + gen_random(g, 63);

			memset(g->data + g->len, 0x5a, more);
			g->len += more;
		}
		break;
	case 7: /* header spliced: bytes from elsewhere in the frame */
		if (at + 8 <= g->len) {
			size_t from = near_the_headers(g);

			if (from + 8 <= g->len)
				memmove(g->data + at, g->data + from, 8);
		}
		break;
	case 8: /* bytes inserted */
		if (g->len + 8 < GEN_MAX && at >= 14) {
			memmove(g->data + at + 8, g->data + at, g->len - at);
			memset(g->data + at, (int)edges[gen_random(g, sizeof(edges))], 8);
			g->len += 8;
		}
		break;
	default: /* bytes removed */
		if (at >= 14 && at + 4 <= g->len) {
			memmove(g->data + at, g->data + at + 4, g->len - at - 4);
			g->len -= 4;
		}
		break;
	}
	if (g->len < 14)
		g->len = 14;
}

void gen_mutate(struct gen *g)
{
	uint32_t n = gen_random(g, 4);

	while (n--)
		one(g);
}
