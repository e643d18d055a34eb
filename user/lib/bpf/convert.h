/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of an old map in the layout of a new one, field by field by the names in BTF.
 * Only for user/lib/bpf.
 *
 * So a new version may add, widen or reorder fields and still take over what an old one counted;
 * a field that the old layout has not starts at zero.
 */
#ifndef RG_BPF_CONVERT_H
#define RG_BPF_CONVERT_H

#include <stddef.h>
#include <stdint.h>

struct btf;
struct rg_convert;
struct rg_err;

/**
 * rg_convert_new() - how to bring values of one type into another
 * @from: types of the old layout
 * @from_id: type of the old value
 * @to: types of the new layout
 * @to_id: type of the new value
 * @ret: written only on success; rg_convert_free() frees it
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_convert_new(const struct btf *from, uint32_t from_id, const struct btf *to, uint32_t to_id,
		   struct rg_convert **ret, struct rg_err *err);

/**
 * rg_convert_maps() - how to bring values of one map into another
 * @from_fd: old map
 * @to_fd: new map
 * @ret: written only on success; NULL if the layout is the same and values are copied as they are
 * @err: sentence
 *
 * Return: 0, -EPROTO if the keys differ or a map with another layout has no BTF, or another -errno
 */
int rg_convert_maps(int from_fd, int to_fd, struct rg_convert **ret, struct rg_err *err);

/**
 * rg_convert_free() - free
 * @c: conversion or NULL
 */
void rg_convert_free(struct rg_convert *c);

/**
 * rg_convert_free_ptr() - for _cleanup_(rg_convert_free_ptr)
 * @c: where the pointer is
 */
void rg_convert_free_ptr(struct rg_convert **c);

/**
 * rg_convert_value() - bring one value into the new layout
 * @c: conversion, NULL to copy
 * @from: old value
 * @to: new value
 * @to_size: its size in bytes
 */
void rg_convert_value(const struct rg_convert *c, const void *from, void *to, size_t to_size);

#endif /* RG_BPF_CONVERT_H */
