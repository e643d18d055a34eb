/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the two halves of the frame builder: the text, and the layers' bytes.
 */
#ifndef RG_TEST_LAYERS_H
#define RG_TEST_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"

#define LAYER_MAX_KEYS 16

/**
 * struct layer - one layer of a frame's text
 * @name: "ip4"
 * @keys: left sides of "key=value"; a bare word has the value ""
 * @values: right sides
 * @used: which keys the layer has read; what is left over is a mistake
 * @n_keys: number of @keys
 * @off: where its bytes begin in the frame
 * @next: the layer inside, NULL for the last
 * @prev: the layer outside, NULL for the first
 */
struct layer {
	const char *name;
	const char *keys[LAYER_MAX_KEYS];
	const char *values[LAYER_MAX_KEYS];
	bool used[LAYER_MAX_KEYS];
	unsigned int n_keys;
	size_t off;
	const struct layer *next;
	const struct layer *prev;
};

/**
 * struct layer_type - what the builder knows of a kind of layer
 * @name: as in the text
 * @ethertype: how an Ethernet header announces it, 0 if it cannot
 * @proto: how an IP header announces it, -1 if it cannot
 * @head: append the header's bytes
 * @finish: fix lengths and sums, called from the inside out when all bytes are there
 */
struct layer_type {
	const char *name;
	uint16_t ethertype;
	int proto;
	void (*head)(struct layer *l, struct frame *f);
	void (*finish)(struct layer *l, struct frame *f);
};

/**
 * layer_type_find() - kind of a layer
 * @name: as in the text
 *
 * Return: kind or NULL
 */
const struct layer_type *layer_type_find(const char *name);

/* Readers of a layer's keys; the fallback stands in for a key that is not given. */
bool layer_has(struct layer *l, const char *key);
const char *layer_str(struct layer *l, const char *key, const char *fallback);
uint64_t layer_num(struct layer *l, const char *key, uint64_t fallback);

/* Writers at the end of the frame, or at an offset; numbers in network byte order. */
void frame_put(struct frame *f, const void *bytes, size_t n);
void frame_put8(struct frame *f, uint8_t v);
void frame_put16(struct frame *f, uint16_t v);
void frame_put32(struct frame *f, uint32_t v);
void frame_fill(struct frame *f, uint8_t v, size_t n);
void frame_set16(struct frame *f, size_t off, uint16_t v);

/* Reports a mistake in the text; the first one counts. */
void frame_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* RG_TEST_LAYERS_H */
