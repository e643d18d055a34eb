/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounded strings and strict numbers.
 */
#ifndef RG_BASE_STR_H
#define RG_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * rg_str_copy() - copy a string that must fit
 * @dst: destination, always NUL-terminated on return
 * @size: bytes at @dst, at least 1
 * @src: string
 *
 * Return: 0, or -ENAMETOOLONG if @src was cut
 */
int rg_str_copy(char *dst, size_t size, const char *src);

/**
 * rg_str_format() - print into a buffer that must hold it all
 * @dst: destination, always NUL-terminated on return
 * @size: bytes at @dst, at least 1
 * @fmt: format
 *
 * Return: 0, or -ENAMETOOLONG if the text was cut
 */
int rg_str_format(char *dst, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * rg_str_equal() - whether two strings are the same; NULL equals only NULL
 * @a: string or NULL
 * @b: string or NULL
 */
bool rg_str_equal(const char *a, const char *b);

/**
 * rg_str_prefix() - whether a string begins with another
 * @s: string
 * @prefix: beginning
 */
bool rg_str_prefix(const char *s, const char *prefix);

/**
 * rg_str_u64() - read a whole string as an unsigned number
 * @s: decimal, or hexadecimal with 0x
 * @max: largest value allowed
 * @ret: value, written only on success
 *
 * Return: 0, -EINVAL if @s is not a number, -ERANGE if it is over @max
 */
int rg_str_u64(const char *s, uint64_t max, uint64_t *ret);

#endif /* RG_BASE_STR_H */
