// SPDX-License-Identifier: Apache-2.0
/*
 * Drop events as people and programs see them, filters, reasons, and frames read from files.
 */
#define _GNU_SOURCE /* open_memstream */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <json-c/json.h>
#include <railgate/reason.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/inet.h"

#include "../../user/ctl/event.h"
#include "../../user/ctl/frames.h"
#include "../../user/ctl/out.h"
#include "../../user/ctl/reason.h"

/* 2026-01-02 03:04:05.678901 UTC */
#define WHEN_NS 1767323045678901234ull

static const struct rg_event_names pod = {"rail0", "tenant-a", "trainer-0", "net1"};

/* UDP from 172.16.0.10:49152 to 8.8.8.8:4791, with the MACs of the pod and the gateway. */
static const uint8_t udp_frame[] = {
	0x02, 0,  0,	0,    0, 0x01, 0x02, 0, 0,  0,	0, 0x0a, 0x08, 0x00, /* Ethernet */
	0x45, 0,  0,	28,   0, 0,    0x40, 0, 64, 17, 0, 0,	 172,  16,
	0,    10, 8,	8,    8, 8,		/* IPv4 */
	0xc0, 0,  0x12, 0xb7, 0, 8,    0,    0, /* UDP */
};

static struct rg_event sample(void)
{
	struct rg_event ev;

	rg_event_of_frame(udp_frame, sizeof(udp_frame), &ev);
	ev.slot = 40;
	ev.ifindex = 5;
	ev.reason = RG_REASON_DST_CIDR;
	ev.hook = RG_HOOK_RAIL_TX;
	return ev;
}

static void frame_is_described(void **state)
{
	struct rg_event ev = sample();
	char flow[RG_FLOW_SIZE];
	size_t len;

	(void)state;
	assert_int_equal(ev.ethertype, 0x0800);
	assert_int_equal(ev.header_bytes, sizeof(udp_frame));
	assert_string_equal(rg_event_flow(&ev, flow), "udp 172.16.0.10:49152 > 8.8.8.8:4791");
	/* Cut anywhere, it is described as far as it goes and never read beyond its end. */
	for (len = 0; len < sizeof(udp_frame); len++) {
		_cleanup_free_ uint8_t *cut = malloc(len + 1);

		memcpy(cut, udp_frame, len);
		rg_event_of_frame(cut, len, &ev);
		(void)rg_event_flow(&ev, flow);
		if (len < 14)
			assert_string_equal(flow, "frame without an Ethernet header");
		else if (len < 34)
			assert_string_equal(
				flow, "ethertype 0x0800 02:00:00:00:00:0a > 02:00:00:00:00:01");
		else
			assert_true(strncmp(flow, "udp 172.16.0.10", 15) == 0);
	}
}

static void later_fragment_has_no_ports(void **state)
{
	uint8_t frame[sizeof(udp_frame)];
	char flow[RG_FLOW_SIZE];
	struct rg_event ev;

	(void)state;
	memcpy(frame, udp_frame, sizeof(frame));
	frame[20] = 0x00;
	frame[21] = 0xb9;
	rg_event_of_frame(frame, sizeof(frame), &ev);
	assert_string_equal(rg_event_flow(&ev, flow), "udp 172.16.0.10 > 8.8.8.8");
}

static void line_reads_well(void **state)
{
	struct rg_event ev = sample();
	struct rg_event_names nasty = pod;
	char line[512];

	(void)state;
	(void)setenv("TZ", "UTC", 1);
	assert_string_equal(rg_event_line(&ev, &pod, WHEN_NS, line, sizeof(line)),
			    "03:04:05.678901 rail0 tenant-a/trainer-0 net1 dst_cidr: udp "
			    "172.16.0.10:49152 > 8.8.8.8:4791, 42 bytes, rail-tx");
	ev.suppressed = 12;
	ev.flags = RG_EVENT_AUDIT;
	memcpy(nasty.pod_name, "a\x1b]b", 5);
	(void)rg_event_line(&ev, &nasty, WHEN_NS, line, sizeof(line));
	assert_non_null(strstr(line, "rail-tx, 12 more not shown, audit: passed"));
	assert_non_null(strstr(line, "tenant-a/a?]b net1"));
}

static void record_is_complete(void **state)
{
	struct rg_event ev = sample();
	struct json_object *doc;
	_cleanup_free_ char *text = NULL;
	struct rg_out *out;
	size_t len;
	FILE *f;

	(void)state;
	f = open_memstream(&text, &len);
	out = rg_out_open(f, true);
	rg_out_lines(out);
	rg_event_record(out, &ev, &pod, WHEN_NS);
	assert_int_equal(rg_out_close(out), 0);
	(void)fclose(f);
	assert_ptr_equal(strchr(text, '\n'), text + len - 1);
	doc = json_tokener_parse(text);
	assert_non_null(doc);
#define STR(key) json_object_get_string(json_object_object_get(doc, key))
#define NUM(key) json_object_get_int(json_object_object_get(doc, key))
	assert_string_equal(STR("time"), "2026-01-02T03:04:05.678901Z");
	assert_string_equal(STR("pod"), "trainer-0");
	assert_string_equal(STR("reason"), "dst_cidr");
	assert_string_equal(STR("dst"), "8.8.8.8");
	assert_int_equal(NUM("dst_port"), 4791);
	assert_int_equal(NUM("reason_number"), 14);
	assert_string_equal(STR("src_mac"), "02:00:00:00:00:0a");
	assert_int_equal(strlen(STR("header")), 2 * sizeof(udp_frame));
	assert_memory_equal(STR("header"), "020000000001", 12);
#undef STR
#undef NUM
	json_object_put(doc);
}

static const struct {
	struct rg_event_filter filter;
	bool wanted;
} filters[] = {
	{{-1, NULL, NULL}, true},
	{{RG_REASON_DST_CIDR, NULL, NULL}, true},
	{{RG_REASON_SRC_IP, NULL, NULL}, false},
	{{-1, "rail0", NULL}, true},
	{{-1, "rail1", NULL}, false},
	{{-1, "rail", NULL}, false},
	{{-1, NULL, "trainer-0"}, true},
	{{-1, NULL, "trainer"}, false},
	{{-1, NULL, "tenant-a/trainer-0"}, true},
	{{-1, NULL, "tenant-b/trainer-0"}, false},
	{{-1, NULL, "tenant-a/"}, true},
	{{-1, NULL, "tenant/"}, false},
	{{-1, NULL, "/trainer-0"}, false},
	{{RG_REASON_DST_CIDR, "rail0", "tenant-a/trainer-1"}, false},
};

static void filters_choose(void **state)
{
	struct rg_event ev = sample();
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(filters); i++)
		if (rg_event_wanted(&filters[i].filter, &ev, &pod) != filters[i].wanted)
			fail_msg("filter %zu", i);
}

static void every_reason_is_known(void **state)
{
	unsigned int n = 0, i;

	(void)state;
	for (i = 0; i < RG_REASON_MAX; i++) {
		const char *label = rg_reason_label(i);

		if (strcmp(label, "unknown") == 0)
			continue;
		n++;
		assert_int_equal(rg_reason_find(label), i);
		assert_true(strlen(rg_reason_meaning(i)) > 0);
		assert_true(strlen(rg_reason_remedy(i)) > 0);
	}
	assert_int_equal(n, RG_REASON_INTERNAL + 1);
	assert_int_equal(rg_reason_find("14"), RG_REASON_DST_CIDR);
	assert_int_equal(rg_reason_find("31"), -EINVAL);
	assert_int_equal(rg_reason_find("32"), -EINVAL);
	assert_int_equal(rg_reason_find(""), -EINVAL);
	assert_string_equal(rg_reason_label(4096), "unknown");
}

struct frames {
	unsigned int n;
	size_t len[8];
	size_t wire_len[8];
	uint8_t first[8];
};

static int collect(const struct rg_frame *frame, void *arg, struct rg_err *err)
{
	struct frames *f = arg;

	if (f->n == ARRAY_SIZE(f->len))
		return rg_err_set(err, -E2BIG, "enough");
	f->len[f->n] = frame->len;
	f->wire_len[f->n] = frame->wire_len;
	f->first[f->n++] = frame->data[0];
	assert_int_equal(frame->number, f->n);
	return 0;
}

static int parse(const char *bytes, size_t len, struct frames *ret, struct rg_err *err)
{
	memset(ret, 0, sizeof(*ret));
	memset(err, 0, sizeof(*err));
	return rg_frames_parse(bytes, len, collect, ret, err);
}

static void hexadecimal_text(void **state)
{
	static const char text[] = "# comment\n"
				   "02:00 0000-00 01\n"
				   "\n"
				   "  ff FF\n"
				   "ab";
	struct rg_err err;
	struct frames f;

	(void)state;
	assert_int_equal(parse(text, strlen(text), &f, &err), 3);
	assert_int_equal(f.len[0], 6);
	assert_int_equal(f.first[1], 0xff);
	assert_int_equal(f.len[2], 1);
	assert_int_equal(parse("abc", 3, &f, &err), -EINVAL);
	assert_int_equal(parse("0 2", 3, &f, &err), -EINVAL);
	assert_int_equal(parse("ab\nxy", 5, &f, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "line 2"));
	assert_int_equal(parse("", 0, &f, &err), 0);
	assert_int_equal(rg_frames_read("0200 0000", collect, &f, &err), 1);
	assert_int_equal(rg_frames_read("nowhere.pcap", collect, &f, &err), -ENOENT);
	assert_int_equal(rg_frames_read("/dev/null", collect, &f, &err), -ENODATA);
}

/* A pcap file of two frames, the second cut from 100 to 2 bytes, in either byte order. */
static size_t make_pcap(bool swapped, uint32_t link_type, uint8_t *buf)
{
	const uint32_t words[] = {
		0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, link_type, /* file header */
		1,	    2,		 3, 3, /* seconds, microseconds, captured, on the wire */
	};
	const uint32_t second[] = {1, 3, 2, 100};
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(words); i++, n += 4) {
		uint32_t w = swapped ? __builtin_bswap32(words[i]) : words[i];

		if (swapped && i == 1) /* two 16-bit numbers */
			w = 2 << 8 | (uint32_t)4 << 24;
		memcpy(buf + n, &w, 4);
	}
	memcpy(buf + n, "\x02\x03\x04", 3);
	n += 3;
	for (i = 0; i < ARRAY_SIZE(second); i++, n += 4) {
		uint32_t w = swapped ? __builtin_bswap32(second[i]) : second[i];

		memcpy(buf + n, &w, 4);
	}
	memcpy(buf + n, "\x05\x06", 2);
	return n + 2;
}

static void captures(void **state)
{
	struct rg_err err;
	struct frames f;
	uint8_t buf[128];
	size_t len;
	int swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		len = make_pcap(swapped, 1, buf);
		assert_int_equal(parse((char *)buf, len, &f, &err), 2);
		assert_int_equal(f.len[0], 3);
		assert_int_equal(f.wire_len[1], 100);
		assert_int_equal(f.len[1], 2);
		assert_int_equal(f.first[1], 5);
	}
	assert_int_equal(parse((char *)buf, len - 1, &f, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "behind frame 1"));
	assert_int_equal(parse((char *)buf, 10, &f, &err), -EINVAL);
	len = make_pcap(false, 113, buf);
	assert_int_equal(parse((char *)buf, len, &f, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "no Ethernet frames"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_is_described), cmocka_unit_test(later_fragment_has_no_ports),
		cmocka_unit_test(line_reads_well),    cmocka_unit_test(record_is_complete),
		cmocka_unit_test(filters_choose),     cmocka_unit_test(every_reason_is_known),
		cmocka_unit_test(hexadecimal_text),   cmocka_unit_test(captures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
