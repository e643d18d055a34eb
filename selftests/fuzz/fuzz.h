/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fuzz targets share. A target is LLVMFuzzerTestOneInput() in fuzz_<name>.c; its seeds
 * are corpus/<name>/. Targets check more than "does not crash": see fuzz_check().
 */
#ifndef RG_FUZZ_H
#define RG_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"

/* fuzz_check(): a property that every input must keep; a violation is a crash for libFuzzer. */
#define fuzz_check(cond)                                                                           \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			(void)fprintf(stderr, "%s:%d: violated: %s\n", __FILE__, __LINE__, #cond); \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* fuzz_check_result(): a call that fails returns the code that its sentence carries. */
#define fuzz_check_result(r, err) \
	fuzz_check((r) >= 0 || ((err)->code == (r) && (err)->msg[0] != '\0'))

/**
 * LLVMFuzzerTestOneInput() - run the target on one input
 * @data: input
 * @size: its bytes
 *
 * Return: 0
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/**
 * LLVMFuzzerMutate() - libFuzzer's own mutation of bytes
 * @data: bytes, changed in place
 * @size: number of bytes
 * @max_size: room at @data
 *
 * Return: new number of bytes
 */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/**
 * LLVMFuzzerCustomMutator() - mutation that libFuzzer calls if a target has it
 * @data: input, changed in place
 * @size: its bytes
 * @max_size: room at @data
 * @seed: seed of this mutation's randomness
 *
 * Return: new number of bytes
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#endif /* RG_FUZZ_H */
