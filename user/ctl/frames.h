/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames to explain: from a capture file, from hexadecimal text, from standard input.
 */
#ifndef RG_CTL_FRAMES_H
#define RG_CTL_FRAMES_H

#include <stddef.h>
#include <stdint.h>

struct rg_err;

#define RG_FRAME_MAX 65535 /* bytes of the longest frame accepted */

/**
 * struct rg_frame - one frame
 * @number: position in its source, from 1
 * @data: bytes from the destination MAC on
 * @len: bytes at @data
 * @wire_len: bytes the frame had on the wire; more than @len if the capture cut it
 */
struct rg_frame {
	unsigned int number;
	const uint8_t *data;
	size_t len;
	size_t wire_len;
};

/**
 * typedef rg_frame_fn - called for each frame
 * @frame: valid during the call
 * @arg: caller's
 * @err: sentence
 *
 * Return: 0 to go on, or -errno to stop with
 */
typedef int (*rg_frame_fn)(const struct rg_frame *frame, void *arg, struct rg_err *err);

/**
 * rg_frames_read() - walk over the frames of a source
 * @source: name of a pcap or pcapng file, or of a file with one frame a line in hexadecimal;
 *          "-" for such a file on standard input; or one frame in hexadecimal
 * @fn: called for each
 * @arg: passed to @fn
 * @err: sentence
 *
 * Blanks, ":" and "-" between hexadecimal digits are skipped, so are lines that begin with "#".
 *
 * Return: number of frames, or -errno
 */
int rg_frames_read(const char *source, rg_frame_fn fn, void *arg, struct rg_err *err);

/**
 * rg_frames_parse() - walk over the frames of a file's contents
 * @bytes: contents
 * @len: bytes at @bytes
 * @fn: called for each
 * @arg: passed to @fn
 * @err: sentence
 *
 * Return: number of frames, or -errno
 */
int rg_frames_parse(const char *bytes, size_t len, rg_frame_fn fn, void *arg, struct rg_err *err);

#endif /* RG_CTL_FRAMES_H */
