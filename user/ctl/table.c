// SPDX-License-Identifier: Apache-2.0
/*
 * A table of text with aligned columns.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "table.h"

#define GAP 2

int rg_table_row(struct rg_table *t)
{
	void *grown = reallocarray(t->cells, t->n_rows + 1, sizeof(*t->cells));

	if (!grown)
		return -ENOMEM;
	t->cells = grown;
	memset(t->cells[t->n_rows], 0, sizeof(*t->cells));
	t->n_rows++;
	return 0;
}

static int find_column(struct rg_table *t, const char *column)
{
	size_t i;

	for (i = 0; i < t->n_columns; i++)
		if (rg_str_equal(t->columns[i], column))
			return (int)i;
	if (t->n_columns == RG_TABLE_MAX_COLUMNS)
		return -E2BIG;
	t->columns[i] = column;
	t->right[i] = false;
	t->n_columns++;
	return (int)i;
}

int rg_table_set(struct rg_table *t, const char *column, bool number, const char *text)
{
	int c = find_column(t, column);
	char **cell, *p;

	if (c < 0)
		return c;
	if (!t->n_rows)
		return -EINVAL;
	/* The first cell of a column of numbers may be a "-", which is none. */
	t->right[c] |= number;
	cell = &t->cells[t->n_rows - 1][c];
	free(*cell);
	*cell = strdup(text);
	if (!*cell)
		return -ENOMEM;
	for (p = *cell; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = '?';
	return 0;
}

static const char *cell_text(const struct rg_table *t, size_t row, size_t column)
{
	return t->cells[row][column] ? t->cells[row][column] : "-";
}

static size_t column_width(const struct rg_table *t, size_t column)
{
	size_t width = strlen(t->columns[column]);
	size_t i;

	for (i = 0; i < t->n_rows; i++) {
		size_t n = strlen(cell_text(t, i, column));

		width = n > width ? n : width;
	}
	return width;
}

static void print_cell(const struct rg_table *t, size_t column, const char *text, size_t width,
		       FILE *stream)
{
	int pad = (int)(width - strlen(text));
	bool last = column + 1 == t->n_columns;

	if (t->right[column])
		(void)fprintf(stream, "%*s%s", pad, "", text);
	else
		(void)fprintf(stream, "%s%*s", text, last ? 0 : pad, "");
	(void)fprintf(stream, "%*s", last ? 0 : GAP, "");
}

void rg_table_print(const struct rg_table *t, FILE *stream)
{
	size_t widths[RG_TABLE_MAX_COLUMNS];
	size_t r, c;

	for (c = 0; c < t->n_columns; c++) {
		widths[c] = column_width(t, c);
		print_cell(t, c, t->columns[c], widths[c], stream);
	}
	(void)fputc('\n', stream);
	for (r = 0; r < t->n_rows; r++) {
		for (c = 0; c < t->n_columns; c++)
			print_cell(t, c, cell_text(t, r, c), widths[c], stream);
		(void)fputc('\n', stream);
	}
}

void rg_table_done(struct rg_table *t)
{
	size_t r, c;

	for (r = 0; r < t->n_rows; r++)
		for (c = 0; c < RG_TABLE_MAX_COLUMNS; c++)
			free(t->cells[r][c]);
	free(t->cells);
	memset(t, 0, sizeof(*t));
}
