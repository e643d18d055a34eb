/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command prints, said once: as aligned columns for people or as JSON for programs.
 *
 * A command describes values with a JSON key and, where people should see them, a column. JSON
 * gets the raw number, people get the text that belongs to it. A value without a column is in the
 * JSON only; rg_out_text() is for people only. Failures (no memory, closed pipe) are remembered
 * and reported by rg_out_close(), so that no command has to check each call.
 */
#ifndef RG_CTL_OUT_H
#define RG_CTL_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct rg_out;

/**
 * rg_out_open() - begin a document
 * @stream: where it is printed
 * @json: JSON instead of text
 *
 * Return: document, to be ended with rg_out_close(); NULL without memory
 */
struct rg_out *rg_out_open(FILE *stream, bool json);

/**
 * rg_out_lines() - make each record one line of JSON that is printed when it ends
 * @out: document without values
 *
 * For commands that run until they are stopped.
 */
void rg_out_lines(struct rg_out *out);

/**
 * rg_out_flush() - hand what was printed on now
 * @out: document
 */
void rg_out_flush(struct rg_out *out);

/**
 * rg_out_close() - print what was not printed yet and free the document
 * @out: document or NULL
 *
 * Return: 0, or -errno if something was lost on the way
 */
int rg_out_close(struct rg_out *out);

/**
 * rg_out_discard() - print nothing of what was not printed yet
 * @out: document, still to be ended with rg_out_close()
 */
void rg_out_discard(struct rg_out *out);

/**
 * rg_out_is_json() - whether the document is JSON
 * @out: document
 */
bool rg_out_is_json(const struct rg_out *out);

/**
 * rg_out_failed() - whether printing has failed already
 * @out: document
 *
 * Return: 0 or -errno
 */
int rg_out_failed(const struct rg_out *out);

/**
 * rg_out_list() - begin a list of records: an array for programs, a table for people
 * @out: document
 * @key: JSON key
 * @heading: line above the table, NULL for none
 */
void rg_out_list(struct rg_out *out, const char *key, const char *heading);

/**
 * rg_out_list_end() - end a list; people see its table now, or @empty if it has no record
 * @out: document
 * @empty: what to tell people instead of an empty table, NULL for nothing
 */
void rg_out_list_end(struct rg_out *out, const char *empty);

/**
 * rg_out_record() - begin a record of the list, or a line after rg_out_lines()
 * @out: document
 */
void rg_out_record(struct rg_out *out);

/**
 * rg_out_record_end() - end a record
 * @out: document
 */
void rg_out_record_end(struct rg_out *out);

/**
 * rg_out_object() - group the following values under a key; people see them ungrouped
 * @out: document
 * @key: JSON key
 */
void rg_out_object(struct rg_out *out, const char *key);

/**
 * rg_out_object_end() - end a group
 * @out: document
 */
void rg_out_object_end(struct rg_out *out);

/**
 * rg_out_str() - a text
 * @out: document
 * @key: JSON key
 * @column: column, NULL if people do not see it
 * @value: text; NULL or "" is absent: null for programs, "-" for people
 */
void rg_out_str(struct rg_out *out, const char *key, const char *column, const char *value);

/**
 * rg_out_u64() - a number
 * @out: document
 * @key: JSON key
 * @column: column, NULL if people do not see it
 * @value: raw value
 * @text: how people see it, NULL for decimal digits
 */
void rg_out_u64(struct rg_out *out, const char *key, const char *column, uint64_t value,
		const char *text);

/**
 * rg_out_double() - a number that need not be whole
 * @out: document
 * @key: JSON key
 * @column: column, NULL if people do not see it
 * @value: raw value
 * @text: how people see it
 */
void rg_out_double(struct rg_out *out, const char *key, const char *column, double value,
		   const char *text);

/**
 * rg_out_bool() - a truth value
 * @out: document
 * @key: JSON key
 * @column: column, NULL if people do not see it
 * @value: true or false
 */
void rg_out_bool(struct rg_out *out, const char *key, const char *column, bool value);

/**
 * rg_out_absent() - a value that does not exist: null for programs, "-" for people
 * @out: document
 * @key: JSON key
 * @column: column, NULL if people do not see it
 */
void rg_out_absent(struct rg_out *out, const char *key, const char *column);

/**
 * rg_out_array() - begin an array of texts; people see them with commas between
 * @out: document
 * @key: JSON key
 * @column: column, NULL if people do not see it
 */
void rg_out_array(struct rg_out *out, const char *key, const char *column);

/**
 * rg_out_item() - a text of the array
 * @out: document
 * @value: text
 */
void rg_out_item(struct rg_out *out, const char *value);

/**
 * rg_out_item_u64() - a number of the array
 * @out: document
 * @value: number
 */
void rg_out_item_u64(struct rg_out *out, uint64_t value);

/**
 * rg_out_array_end() - end an array
 * @out: document
 */
void rg_out_array_end(struct rg_out *out);

/**
 * rg_out_text() - text for people only, printed now
 * @out: document
 * @fmt: text with its newline
 */
void rg_out_text(struct rg_out *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif /* RG_CTL_OUT_H */
