// SPDX-License-Identifier: Apache-2.0
/*
 * Frames to explain. Capture files are read by libpcap, the only file of the tool that knows it.
 */
#define _GNU_SOURCE /* fmemopen */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/str.h"
#include "frames.h"

#define SOURCE_MAX (64u << 20)

#define SOURCE_WANT                                                                           \
	"give a pcap or pcapng file, a file with one frame a line in hexadecimal, \"-\" for " \
	"standard input, or the hexadecimal digits of one frame"

static void pcap_close_ptr(pcap_t **p)
{
	if (*p)
		pcap_close(*p);
}

/* First bytes of pcap (both byte orders, micro- and nanoseconds) and pcapng. */
static bool is_capture(const char *bytes, size_t len)
{
	static const char magics[][4] = {
		{'\xa1', '\xb2', '\xc3', '\xd4'}, {'\xd4', '\xc3', '\xb2', '\xa1'},
		{'\xa1', '\xb2', '\x3c', '\x4d'}, {'\x4d', '\x3c', '\xb2', '\xa1'},
		{'\x0a', '\x0d', '\x0d', '\x0a'},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(magics); i++)
		if (len >= sizeof(magics[i]) && memcmp(bytes, magics[i], sizeof(magics[i])) == 0)
			return true;
	return false;
}

static int open_capture(const char *bytes, size_t len, pcap_t **ret, struct rg_err *err)
{
	_cleanup_(pcap_close_ptr) pcap_t *pcap = NULL;
	char why[PCAP_ERRBUF_SIZE];
	FILE *f;

	f = fmemopen((void *)bytes, len, "r");
	if (!f)
		return rg_err_errno(err, -errno, "cannot read the capture");
	pcap = pcap_fopen_offline(f, why);
	if (!pcap) {
		(void)fclose(f);
		return rg_err_set(err, -EINVAL, "cannot read the capture: %s", why);
	}
	if (pcap_datalink(pcap) != DLT_EN10MB)
		return rg_err_set(err, -EINVAL,
				  "the capture holds no Ethernet frames (link type %d); capture on "
				  "the rail's netdev and not on \"any\"",
				  pcap_datalink(pcap));
	*ret = TAKE_PTR(pcap);
	return 0;
}

static int parse_capture(const char *bytes, size_t len, rg_frame_fn fn, void *arg,
			 struct rg_err *err)
{
	_cleanup_(pcap_close_ptr) pcap_t *pcap = NULL;
	struct rg_frame frame = {0};
	struct pcap_pkthdr *header;
	int r;

	r = open_capture(bytes, len, &pcap, err);
	if (r < 0)
		return r;
	while ((r = pcap_next_ex(pcap, &header, &frame.data)) == 1) {
		frame.number++;
		frame.len = header->caplen;
		frame.wire_len = header->len;
		r = fn(&frame, arg, err);
		if (r < 0)
			return r;
	}
	if (r == PCAP_ERROR)
		return rg_err_set(err, -EINVAL, "capture broken behind frame %u: %s", frame.number,
				  pcap_geterr(pcap));
	return (int)frame.number;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Bytes of one line, or -EINVAL if it holds anything but hexadecimal digits in pairs. */
static int parse_hex(const char *line, size_t len, uint8_t *data, size_t *ret_len)
{
	size_t i, n = 0;

	for (i = 0; i < len; i++) {
		if (isspace((unsigned char)line[i]) || line[i] == ':' || line[i] == '-')
			continue;
		if (i + 1 == len || hex_digit(line[i]) < 0 || hex_digit(line[i + 1]) < 0 ||
		    n == RG_FRAME_MAX)
			return -EINVAL;
		data[n++] = (uint8_t)(hex_digit(line[i]) << 4 | hex_digit(line[i + 1]));
		i++;
	}
	*ret_len = n;
	return 0;
}

static int parse_lines(const char *text, size_t len, rg_frame_fn fn, void *arg, struct rg_err *err)
{
	_cleanup_free_ uint8_t *data = malloc(RG_FRAME_MAX);
	struct rg_frame frame = {.data = data};
	unsigned int line = 0;
	const char *end = text + len, *next;
	int r;

	if (!data)
		return rg_err_errno(err, -ENOMEM, "cannot read the frames");
	for (; text < end; text = next + 1) {
		next = memchr(text, '\n', (size_t)(end - text));
		next = next ? next : end;
		line++;
		if (*text == '#')
			continue;
		r = parse_hex(text, (size_t)(next - text), data, &frame.len);
		if (r < 0)
			return rg_err_set(err, r, "line %u is not a frame in hexadecimal; %s", line,
					  SOURCE_WANT);
		if (!frame.len)
			continue;
		frame.number++;
		frame.wire_len = frame.len;
		r = fn(&frame, arg, err);
		if (r < 0)
			return r;
	}
	return (int)frame.number;
}

int rg_frames_parse(const char *bytes, size_t len, rg_frame_fn fn, void *arg, struct rg_err *err)
{
	if (is_capture(bytes, len))
		return parse_capture(bytes, len, fn, arg, err);
	return parse_lines(bytes, len, fn, arg, err);
}

static bool is_hex(const char *s)
{
	for (; *s; s++)
		if (hex_digit(*s) < 0 && !isspace((unsigned char)*s) && *s != ':' && *s != '-')
			return false;
	return true;
}

int rg_frames_read(const char *source, rg_frame_fn fn, void *arg, struct rg_err *err)
{
	_cleanup_free_ char *bytes = NULL;
	size_t len;
	int r;

	if (rg_str_equal(source, "-"))
		r = rg_fs_read_fd(STDIN_FILENO, SOURCE_MAX, &bytes, &len);
	else
		r = rg_fs_read(AT_FDCWD, source, SOURCE_MAX, &bytes, &len);
	if ((r == -ENOENT || r == -ENAMETOOLONG) && is_hex(source))
		return parse_lines(source, strlen(source), fn, arg, err);
	if (r < 0)
		return rg_err_errno(err, r, "cannot read \"%s\"; %s", source, SOURCE_WANT);
	r = rg_frames_parse(bytes, len, fn, arg, err);
	if (r == 0)
		return rg_err_set(err, -ENODATA, "\"%s\" holds no frame; %s", source, SOURCE_WANT);
	return r;
}
