/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writer of the Prometheus text format, version 0.0.4.
 *
 * A family's HELP and TYPE lines appear once, in front of its first sample, and not at all
 * without one: what cannot be measured is absent rather than 0.
 */
#ifndef RG_METRICS_PROM_H
#define RG_METRICS_PROM_H

#include <stddef.h>
#include <stdint.h>

#define RG_PROM_CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"

struct rg_prom;

/**
 * struct rg_prom_label - one label of a sample
 * @name: name
 * @value: value, escaped when written; a label with a NULL or empty value is left out
 */
struct rg_prom_label {
	const char *name;
	const char *value;
};

/**
 * rg_prom_new() - begin a page
 *
 * Return: page to be freed with rg_prom_free(), or NULL without memory
 */
struct rg_prom *rg_prom_new(void);

/**
 * rg_prom_free() - free a page
 * @p: page or NULL
 */
void rg_prom_free(struct rg_prom *p);

/**
 * rg_prom_family() - begin a family
 * @p: page
 * @name: metric name, without the project's prefix
 * @type: "counter" or "gauge"
 * @help: what is measured, with its unit
 *
 * The strings must live until the next family begins.
 */
void rg_prom_family(struct rg_prom *p, const char *name, const char *type, const char *help);

/**
 * rg_prom_u64() - write a sample of the current family
 * @p: page
 * @labels: labels
 * @n_labels: number of @labels
 * @value: value
 */
void rg_prom_u64(struct rg_prom *p, const struct rg_prom_label *labels, size_t n_labels,
		 uint64_t value);

/**
 * rg_prom_double() - write a sample that is not a whole number
 * @p: page
 * @labels: labels
 * @n_labels: number of @labels
 * @value: value
 */
void rg_prom_double(struct rg_prom *p, const struct rg_prom_label *labels, size_t n_labels,
		    double value);

/**
 * rg_prom_take() - end the page and hand over its text
 * @p: page, empty afterwards
 * @ret: NUL-terminated text; the caller frees
 * @ret_len: bytes before the NUL
 *
 * Return: 0, or -ENOMEM if memory ran out at any time since the page began
 */
int rg_prom_take(struct rg_prom *p, char **ret, size_t *ret_len);

/* RG_PROM_LABELS({"rail", name}, ...): the two arguments of a sample's labels */
#define RG_PROM_LABELS(...)                                            \
	((const struct rg_prom_label[]){__VA_ARGS__}),                 \
		(sizeof((const struct rg_prom_label[]){__VA_ARGS__}) / \
		 sizeof(struct rg_prom_label))

#endif /* RG_METRICS_PROM_H */
