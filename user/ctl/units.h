/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers as people read them: rates in bits per second with decimal prefixes, as NICs are sold,
 * amounts in bytes with binary prefixes, counts with decimal ones.
 */
#ifndef RG_CTL_UNITS_H
#define RG_CTL_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define RG_UNIT_SIZE 32

/**
 * rg_unit_bits() - rate such as "97.4 Gbit/s"
 * @bytes_per_s: bytes per second
 * @buf: text
 *
 * Return: @buf
 */
char *rg_unit_bits(double bytes_per_s, char buf[RG_UNIT_SIZE]);

/**
 * rg_unit_rate() - rate of packets such as "1.2 M/s"
 * @per_s: packets per second
 * @buf: text
 *
 * Return: @buf
 */
char *rg_unit_rate(double per_s, char buf[RG_UNIT_SIZE]);

/**
 * rg_unit_bytes() - amount such as "3.1 GiB"
 * @bytes: bytes
 * @buf: text
 *
 * Return: @buf
 */
char *rg_unit_bytes(uint64_t bytes, char buf[RG_UNIT_SIZE]);

/**
 * rg_unit_count() - count such as "12.5 M"; exact below 100,000
 * @n: count
 * @buf: text
 *
 * Return: @buf
 */
char *rg_unit_count(uint64_t n, char buf[RG_UNIT_SIZE]);

/**
 * rg_unit_age() - duration such as "3d 4h", of its two largest units
 * @seconds: seconds
 * @buf: text
 *
 * Return: @buf
 */
char *rg_unit_age(uint64_t seconds, char buf[RG_UNIT_SIZE]);

#endif /* RG_CTL_UNITS_H */
