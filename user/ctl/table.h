/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of text with aligned columns. Columns appear in the order in which they are first set.
 */
#ifndef RG_CTL_TABLE_H
#define RG_CTL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define RG_TABLE_MAX_COLUMNS 24

/**
 * struct rg_table - rows being collected; zero it to start
 * @columns: headers, which outlive the table
 * @right: whether a column holds numbers, which align to the right
 * @n_columns: number of @columns
 * @cells: @n_rows rows of RG_TABLE_MAX_COLUMNS texts, NULL for a cell never set
 * @n_rows: number of rows
 */
struct rg_table {
	const char *columns[RG_TABLE_MAX_COLUMNS];
	bool right[RG_TABLE_MAX_COLUMNS];
	size_t n_columns;
	char *(*cells)[RG_TABLE_MAX_COLUMNS];
	size_t n_rows;
};

/**
 * rg_table_row() - begin a row
 * @t: table
 *
 * Return: 0 or -ENOMEM
 */
int rg_table_row(struct rg_table *t);

/**
 * rg_table_set() - set a cell of the last row
 * @t: table
 * @column: header
 * @number: whether the column holds numbers
 * @text: contents; control characters are shown as "?", so that names cannot steer a terminal
 *
 * Return: 0, -ENOMEM, or -E2BIG with too many columns
 */
int rg_table_set(struct rg_table *t, const char *column, bool number, const char *text);

/**
 * rg_table_print() - print the header and the rows
 * @t: table
 * @stream: where
 */
void rg_table_print(const struct rg_table *t, FILE *stream);

/**
 * rg_table_done() - free the rows; the table can be used again
 * @t: table
 */
void rg_table_done(struct rg_table *t);

#endif /* RG_CTL_TABLE_H */
