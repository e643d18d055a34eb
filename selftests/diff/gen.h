/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames that nobody wrote by hand: honest ones of every kind that the policy knows, then some of
 * their bytes changed. The same seed gives the same frames.
 */
#ifndef RG_TEST_GEN_H
#define RG_TEST_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GEN_MAX 2048

/**
 * struct gen - generator
 * @state: of the random numbers
 * @len: bytes of @data
 * @data: the present frame
 * @rail: rail it is sent on
 * @gso: whether it is to be segmented
 */
struct gen {
	uint64_t state;
	size_t len;
	uint8_t data[GEN_MAX];
	uint32_t rail;
	bool gso;
};

/**
 * gen_start() - begin a sequence
 * @g: generator
 * @seed: which one
 */
void gen_start(struct gen *g, uint64_t seed);

/**
 * gen_next() - make the next frame
 * @g: generator
 */
void gen_next(struct gen *g);

/**
 * gen_random() - a random number below a limit
 * @g: generator
 * @limit: at least 1
 */
uint32_t gen_random(struct gen *g, uint32_t limit);

/**
 * gen_mutate() - change some bytes of the present frame, or its length
 * @g: generator
 */
void gen_mutate(struct gen *g);

#endif /* RG_TEST_GEN_H */
