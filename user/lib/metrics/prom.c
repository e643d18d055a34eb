// SPDX-License-Identifier: Apache-2.0
/*
 * Writer of the Prometheus text format (prometheus.io, "Exposition formats").
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "metrics/prom.h"

#define PREFIX "railgate_"

/**
 * struct rg_prom - a page being written
 * @text: what is written so far
 * @len: bytes of @text
 * @size: bytes allocated
 * @failed: memory ran out; the page is lost
 * @name: current family
 * @type: its type
 * @help: its help
 * @announced: whether its HELP and TYPE are written
 */
struct rg_prom {
	char *text;
	size_t len;
	size_t size;
	bool failed;
	const char *name;
	const char *type;
	const char *help;
	bool announced;
};

static void put(struct rg_prom *p, const char *s, size_t n)
{
	if (p->failed)
		return;
	if (p->len + n + 1 > p->size) {
		size_t size = (p->len + n + 1) * 2;
		char *bigger = realloc(p->text, size);

		if (!bigger) {
			p->failed = true;
			return;
		}
		p->text = bigger;
		p->size = size;
	}
	memcpy(p->text + p->len, s, n);
	p->len += n;
	p->text[p->len] = '\0';
}

static void puts_(struct rg_prom *p, const char *s)
{
	put(p, s, strlen(s));
}

/* Label values escape quotes, HELP texts do not. */
static void put_escaped(struct rg_prom *p, const char *s, bool quotes)
{
	for (; *s; s++) {
		if (*s == '\\')
			puts_(p, "\\\\");
		else if (*s == '\n')
			puts_(p, "\\n");
		else if (*s == '"' && quotes)
			puts_(p, "\\\"");
		else
			put(p, s, 1);
	}
}

struct rg_prom *rg_prom_new(void)
{
	return calloc(1, sizeof(struct rg_prom));
}

void rg_prom_free(struct rg_prom *p)
{
	if (!p)
		return;
	free(p->text);
	free(p);
}

void rg_prom_family(struct rg_prom *p, const char *name, const char *type, const char *help)
{
	p->name = name;
	p->type = type;
	p->help = help;
	p->announced = false;
}

static void announce(struct rg_prom *p)
{
	if (p->announced)
		return;
	p->announced = true;
	puts_(p, "# HELP " PREFIX);
	puts_(p, p->name);
	puts_(p, " ");
	put_escaped(p, p->help, false);
	puts_(p, "\n# TYPE " PREFIX);
	puts_(p, p->name);
	puts_(p, " ");
	puts_(p, p->type);
	puts_(p, "\n");
}

static void sample(struct rg_prom *p, const struct rg_prom_label *labels, size_t n_labels,
		   const char *value)
{
	const char *before = "{";
	size_t i;

	announce(p);
	puts_(p, PREFIX);
	puts_(p, p->name);
	for (i = 0; i < n_labels; i++) {
		if (!labels[i].value || !labels[i].value[0])
			continue;
		puts_(p, before);
		puts_(p, labels[i].name);
		puts_(p, "=\"");
		put_escaped(p, labels[i].value, true);
		puts_(p, "\"");
		before = ",";
	}
	puts_(p, *before == ',' ? "} " : " ");
	puts_(p, value);
	puts_(p, "\n");
}

void rg_prom_u64(struct rg_prom *p, const struct rg_prom_label *labels, size_t n_labels,
		 uint64_t value)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	sample(p, labels, n_labels, text);
}

void rg_prom_double(struct rg_prom *p, const struct rg_prom_label *labels, size_t n_labels,
		    double value)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%.9g", value);
	sample(p, labels, n_labels, text);
}

int rg_prom_take(struct rg_prom *p, char **ret, size_t *ret_len)
{
	put(p, "", 0); /* an empty page is an empty string, not NULL */
	if (p->failed)
		return -ENOMEM;
	*ret_len = p->len;
	*ret = TAKE_PTR(p->text);
	p->len = 0;
	p->size = 0;
	return 0;
}
