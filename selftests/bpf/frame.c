// SPDX-License-Identifier: Apache-2.0
/*
 * From text to frame: reading the layers and their keys. layers.c knows what they are made of.
 */
#include "frame.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layers.h"

#define MAX_LAYERS 16

static char error[128];

void frame_error(const char *fmt, ...)
{
	va_list ap;

	if (error[0])
		return;
	va_start(ap, fmt);
	(void)vsnprintf(error, sizeof(error), fmt, ap);
	va_end(ap);
}

void frame_put(struct frame *f, const void *bytes, size_t n)
{
	if (f->len + n > sizeof(f->data)) {
		frame_error("frame longer than %zu bytes", sizeof(f->data));
		return;
	}
	memcpy(f->data + f->len, bytes, n);
	f->len += n;
}

void frame_fill(struct frame *f, uint8_t v, size_t n)
{
	if (f->len + n > sizeof(f->data)) {
		frame_error("frame longer than %zu bytes", sizeof(f->data));
		return;
	}
	memset(f->data + f->len, v, n);
	f->len += n;
}

void frame_put8(struct frame *f, uint8_t v)
{
	frame_put(f, &v, sizeof(v));
}

void frame_put16(struct frame *f, uint16_t v)
{
	uint8_t b[2] = {v >> 8, v & 0xff};

	frame_put(f, b, sizeof(b));
}

void frame_put32(struct frame *f, uint32_t v)
{
	frame_put16(f, v >> 16);
	frame_put16(f, v & 0xffff);
}

void frame_set16(struct frame *f, size_t off, uint16_t v)
{
	if (off + 2 > sizeof(f->data)) {
		frame_error("offset %zu is outside of the frame", off);
		return;
	}
	f->data[off] = v >> 8;
	f->data[off + 1] = v & 0xff;
}

static int find_key(const struct layer *l, const char *key)
{
	for (unsigned int i = 0; i < l->n_keys; i++)
		if (strcmp(l->keys[i], key) == 0)
			return (int)i;
	return -1;
}

bool layer_has(struct layer *l, const char *key)
{
	int i = find_key(l, key);

	if (i < 0)
		return false;
	l->used[i] = true;
	return true;
}

const char *layer_str(struct layer *l, const char *key, const char *fallback)
{
	return layer_has(l, key) ? l->values[find_key(l, key)] : fallback;
}

/* Decimal, or hexadecimal behind 0x; "op" and other small fields are mostly given in hex. */
uint64_t layer_num(struct layer *l, const char *key, uint64_t fallback)
{
	const char *s = layer_str(l, key, NULL);
	char *end;
	uint64_t v;

	if (!s)
		return fallback;
	v = strtoull(s, &end, 0);
	if (!*s || *end)
		frame_error("%s: %s=%s is not a number", l->name, key, s);
	return v;
}

/* One layer: a name, then words that are keys with or without value. */
static void split_layer(char *text, struct layer *l)
{
	char *save = NULL, *word, *eq;

	memset(l, 0, sizeof(*l));
	word = strtok_r(text, " ", &save);
	l->name = word ? word : "";
	while ((word = strtok_r(NULL, " ", &save))) {
		if (l->n_keys == LAYER_MAX_KEYS) {
			frame_error("%s: too many keys", l->name);
			return;
		}
		eq = strchr(word, '=');
		if (eq)
			*eq++ = '\0';
		l->keys[l->n_keys] = word;
		l->values[l->n_keys++] = eq ? eq : "";
	}
}

static unsigned int split(char *text, struct layer *layers)
{
	unsigned int n = 0;
	char *slash;

	if (strncmp(text, "eth", 3) != 0)
		layers[n++] = (struct layer){.name = "eth"};
	while (n < MAX_LAYERS) {
		slash = strstr(text, " / ");
		if (slash)
			*slash = '\0';
		split_layer(text, &layers[n++]);
		if (!slash)
			return n;
		text = slash + 3;
	}
	frame_error("more than %d layers", MAX_LAYERS);
	return n;
}

static void check_keys(const struct layer *l)
{
	for (unsigned int i = 0; i < l->n_keys; i++)
		if (!l->used[i])
			frame_error("%s: no such key: %s", l->name, l->keys[i]);
}

int frame_build(const char *text, struct frame *ret, char *ret_error)
{
	struct layer layers[MAX_LAYERS] = {};
	const struct layer_type *type;
	char copy[1024];
	unsigned int n;

	error[0] = '\0';
	ret->len = 0;
	if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
		frame_error("text longer than %zu bytes", sizeof(copy));
	n = split(copy, layers);
	for (unsigned int i = 0; i < n; i++) {
		layers[i].prev = i ? &layers[i - 1] : NULL;
		layers[i].next = i + 1 < n ? &layers[i + 1] : NULL;
		layers[i].off = ret->len;
		type = layer_type_find(layers[i].name);
		if (type)
			type->head(&layers[i], ret);
		else
			frame_error("no such layer: %s", layers[i].name);
	}
	for (unsigned int i = n; i-- > 0 && !error[0];) {
		type = layer_type_find(layers[i].name);
		if (type->finish)
			type->finish(&layers[i], ret);
		check_keys(&layers[i]);
	}
	memcpy(ret_error, error, sizeof(error));
	return error[0] ? -EINVAL : 0;
}
