// SPDX-License-Identifier: Apache-2.0
/*
 * Mutates JSON as a tree: bytes alone hardly ever get past the tokener, and what is behind it is
 * what we wrote. Linked into the targets whose input is JSON. One mutation in four is left to
 * libFuzzer's bytes, so that the tokener's errors are reached too.
 */
#include <json-c/json.h>
#include <string.h>

#include "base/cleanup.h"
#include "fuzz.h"

#define MAX_DEPTH 64

/* One place in the tree: a member or an element. */
struct place {
	struct json_object *parent;
	const char *key; /* of a member, else NULL */
	size_t index;	 /* of an element */
	struct json_object *value;
};

static unsigned int next_random(unsigned int *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Visits places in order and keeps a random one: the n-th replaces the kept one with chance 1/n. */
static void pick(struct json_object *tree, unsigned int *rnd, unsigned int *seen, struct place *ret)
{
	if (json_object_is_type(tree, json_type_object)) {
		struct json_object_iter it;

		json_object_object_foreachC(tree, it)
		{
			if (next_random(rnd) % ++*seen == 0)
				*ret = (struct place){tree, it.key, 0, it.val};
			pick(it.val, rnd, seen, ret);
		}
	} else if (json_object_is_type(tree, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(tree); i++) {
			struct json_object *value = json_object_array_get_idx(tree, i);

			if (next_random(rnd) % ++*seen == 0)
				*ret = (struct place){tree, NULL, i, value};
			pick(value, rnd, seen, ret);
		}
	}
}

static struct json_object *odd_value(unsigned int *rnd)
{
	static const char *const texts[] = {
		"null",
		"true",
		"false",
		"0",
		"1",
		"-1",
		"65536",
		"4294967296",
		"1e400",
		"9223372036854775807",
		"18446744073709551616",
		"0.5",
		"\"\"",
		"\"\\u0000\"",
		"[]",
		"{}",
		"\"rail0\"",
		"\"172.16.0.5/24\"",
		"\"fd00:16::5/64\"",
		"\"::ffff:1.2.3.4/99\"",
		"\"02:00:00:00:00:01\"",
		"\"01:00:5e:00:00:01\"",
		"\"../../../etc/passwd\"",
		"[[[[]]]]",
		"\"0123456789012345678901234567890123456789012345678901234567890123456789\"",
	};

	return json_tokener_parse(texts[next_random(rnd) % ARRAY_SIZE(texts)]);
}

static struct json_object *changed_string(struct json_object *value)
{
	char text[512];
	size_t n = (size_t)json_object_get_string_len(value);

	if (n >= sizeof(text) / 2)
		n = sizeof(text) / 2;
	memcpy(text, json_object_get_string(value), n);
	n = LLVMFuzzerMutate((uint8_t *)text, n, sizeof(text));
	return json_object_new_string_len(text, (int)n);
}

static void put(const struct place *at, struct json_object *value)
{
	if (at->key)
		(void)json_object_object_add(at->parent, at->key, value);
	else if (json_object_array_put_idx(at->parent, at->index, value) < 0)
		json_object_put(value);
}

/* The other place's value, in a copy: a value may not have two parents that both change it. */
static struct json_object *copy_of(const struct place *place)
{
	struct json_object *copy = NULL;

	if (place->value)
		(void)json_object_deep_copy(place->value, &copy, NULL);
	return copy;
}

static void mutate_at(struct json_object *tree, const struct place *at, unsigned int *rnd)
{
	struct place other = *at;
	unsigned int seen = 0;
	struct json_object *wrapped;

	pick(tree, rnd, &seen, &other);
	switch (next_random(rnd) % 6) {
	case 0:
		put(at, odd_value(rnd));
		break;
	case 1:
		if (at->key)
			json_object_object_del(at->parent, at->key);
		else
			(void)json_object_array_del_idx(at->parent, at->index, 1);
		break;
	case 2:
		put(at, copy_of(&other));
		break;
	case 3:
		if (at->key)
			(void)json_object_object_add(at->parent, other.key ? other.key : "x",
						     copy_of(at));
		else
			(void)json_object_array_add(at->parent, copy_of(&other));
		break;
	case 4:
		wrapped = json_object_new_array();
		(void)json_object_array_add(wrapped, copy_of(at));
		put(at, wrapped);
		break;
	default:
		if (json_object_is_type(at->value, json_type_string))
			put(at, changed_string(at->value));
		else
			put(at, odd_value(rnd));
		break;
	}
}

static size_t mutate_tree(uint8_t *data, size_t size, size_t max_size, unsigned int *rnd)
{
	struct json_tokener *tok = json_tokener_new_ex(MAX_DEPTH);
	struct json_object *tree = json_tokener_parse_ex(tok, (const char *)data, (int)size);
	struct place at = {0};
	unsigned int seen = 0;
	const char *text;
	size_t len = 0;

	pick(tree, rnd, &seen, &at);
	if (seen > 0) {
		mutate_at(tree, &at, rnd);
		text = json_object_to_json_string_length(tree, JSON_C_TO_STRING_PLAIN, &len);
		if (len <= max_size)
			memcpy(data, text, len);
		else
			len = 0;
	}
	json_object_put(tree);
	json_tokener_free(tok);
	return len;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	unsigned int rnd = seed ? seed : 1;
	size_t len = 0;

	if (next_random(&rnd) % 4 != 0)
		len = mutate_tree(data, size, max_size, &rnd);
	return len > 0 ? len : LLVMFuzzerMutate(data, size, max_size);
}
