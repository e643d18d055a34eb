// SPDX-License-Identifier: Apache-2.0
/*
 * Errors, strings, files and the log: the small parts that everything stands on.
 */
#define _GNU_SOURCE /* pipe2() */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/str.h"

static void errors_keep_code_and_gain_context(void **state)
{
	struct rg_err err = {0};

	(void)state;
	assert_int_equal(rg_err_errno(&err, -ENOENT, "cannot open %s", "x"), -ENOENT);
	assert_string_equal(err.msg, "cannot open x: No such file or directory");
	assert_int_equal(rg_err_ctx(&err, -ENOENT, "rail '%s'", "rail0"), -ENOENT);
	assert_string_equal(err.msg, "rail 'rail0': cannot open x: No such file or directory");
	assert_int_equal(rg_err_set(NULL, -EIO, "nobody listens"), -EIO);
}

static void long_errors_are_cut_not_overrun(void **state)
{
	struct rg_err err = {0};
	char text[2 * sizeof(err.msg)];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	(void)rg_err_errno(&err, -EIO, "%s", text);
	(void)rg_err_ctx(&err, -EIO, "%s", text);
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
}

static void cut_strings_are_reported(void **state)
{
	char buf[4];

	(void)state;
	assert_int_equal(rg_str_copy(buf, sizeof(buf), "abc"), 0);
	assert_int_equal(rg_str_copy(buf, sizeof(buf), "abcd"), -ENAMETOOLONG);
	assert_string_equal(buf, "abc");
	assert_int_equal(rg_str_format(buf, sizeof(buf), "%d", 999), 0);
	assert_int_equal(rg_str_format(buf, sizeof(buf), "%d", 1000), -ENAMETOOLONG);
}

static void numbers_are_read_whole_or_not_at_all(void **state)
{
	static const char *const bad[] = {"", " 1", "+1", "-1", "1 ", "1x", "0x", "x", "0xg"};
	uint64_t v = 7;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (rg_str_u64(bad[i], UINT64_MAX, &v) != -EINVAL)
			fail_msg("accepted \"%s\"", bad[i]);
	assert_int_equal(v, 7);
	assert_int_equal(rg_str_u64("256", 255, &v), -ERANGE);
	assert_int_equal(rg_str_u64("18446744073709551616", UINT64_MAX, &v), -ERANGE);
	assert_int_equal(rg_str_u64("0x1F", 255, &v), 0);
	assert_int_equal(v, 31);
}

/* A directory of its own for each test that needs one. */
static int make_dir(void **state)
{
	char template[] = "/tmp/test_base.XXXXXX";

	*state = mkdtemp(template) ? strdup(template) : NULL;
	return *state ? 0 : -1;
}

static int remove_dir(void **state)
{
	_cleanup_free_ char *path = *state;
	_cleanup_closedir_ DIR *dir = opendir(path);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		(void)unlinkat(dirfd(dir), e->d_name, 0);
	return rmdir(path);
}

static size_t count_entries(const char *path)
{
	_cleanup_closedir_ DIR *dir = opendir(path);
	struct dirent *e;
	size_t n = 0;

	while (dir && (e = readdir(dir)))
		n += !rg_str_equal(e->d_name, ".") && !rg_str_equal(e->d_name, "..");
	return n;
}

static void atomic_write_replaces_and_leaves_no_temporary(void **state)
{
	_cleanup_close_ int dir = open(*state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_free_ char *text = NULL;
	struct stat st;
	size_t len;

	assert_int_equal(rg_fs_write_atomic(dir, "f", "old", 3, 0600), 0);
	assert_int_equal(rg_fs_write_atomic(dir, "f", "newer", 5, 0600), 0);
	assert_int_equal(rg_fs_read(dir, "f", 100, &text, &len), 0);
	assert_string_equal(text, "newer");
	assert_int_equal(len, 5);
	assert_int_equal(fstatat(dir, "f", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(count_entries(*state), 1);
}

static void failed_atomic_write_keeps_the_old_file(void **state)
{
	_cleanup_close_ int dir = open(*state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(mkdirat(dir, "d", 0700), 0);
	assert_int_equal(rg_fs_write_atomic(dir, "d", "x", 1, 0600), -EISDIR);
	assert_int_equal(count_entries(*state), 1);
	assert_int_equal(unlinkat(dir, "d", AT_REMOVEDIR), 0);
}

static void reads_are_bounded(void **state)
{
	_cleanup_close_ int dir = open(*state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_free_ char *text = NULL;
	char line[4];

	assert_int_equal(rg_fs_write_atomic(dir, "f", "12345\nmore", 10, 0600), 0);
	assert_int_equal(rg_fs_read(dir, "f", 9, &text, NULL), -EFBIG);
	assert_int_equal(rg_fs_read_line(dir, "f", line, sizeof(line)), -ENAMETOOLONG);
	assert_int_equal(rg_fs_read(dir, "missing", 9, &text, NULL), -ENOENT);
	assert_null(text);
}

static void second_lock_waits_and_times_out(void **state)
{
	_cleanup_close_ int dir = open(*state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_close_ int first = -EBADF, second = -EBADF;

	assert_int_equal(rg_fs_lock(dir, "l", 0, &first), 0);
	assert_int_equal(rg_fs_lock(dir, "l", 10, &second), -ETIMEDOUT);
	assert_int_equal(second, -EBADF);
	assert_int_equal(close(TAKE_FD(first)), 0);
	assert_int_equal(rg_fs_lock(dir, "l", 0, &second), 0);
}

/* Runs rg_log_write() with standard error in a pipe and returns what came out. */
static void capture_log(bool json, const char *msg, const char *value, char *buf, size_t size)
{
	_cleanup_close_ int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	int fds[2];
	ssize_t n;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_true(dup2(fds[1], STDERR_FILENO) >= 0);
	rg_log_setup(RG_LOG_INFO, json);
	rg_log_write(RG_LOG_DEBUG, NULL, "not written");
	rg_log_write(RG_LOG_WARN, RG_F("skipped", NULL, "key", value), "%s", msg);
	assert_true(dup2(saved, STDERR_FILENO) >= 0);
	(void)close(fds[1]);
	n = read(fds[0], buf, size - 1);
	(void)close(fds[0]);
	assert_true(n > 0);
	buf[n] = '\0';
}

static void text_log_quotes_what_needs_it(void **state)
{
	char buf[512];

	(void)state;
	(void)unsetenv("JOURNAL_STREAM");
	capture_log(false, "hello", "a b\n", buf, sizeof(buf));
	assert_string_equal(buf, "warning: hello key=\"a b\\n\"\n");
	capture_log(false, "hello", "plain", buf, sizeof(buf));
	assert_string_equal(buf, "warning: hello key=plain\n");
}

static void json_log_is_json_whatever_is_in_it(void **state)
{
	struct json_object *o, *v;
	char buf[512];

	(void)state;
	capture_log(true, "say \"hi\"\\", "tab\there", buf, sizeof(buf));
	o = json_tokener_parse(buf);
	assert_non_null(o);
	assert_true(json_object_object_get_ex(o, "msg", &v));
	assert_string_equal(json_object_get_string(v), "say \"hi\"\\");
	assert_true(json_object_object_get_ex(o, "key", &v));
	assert_string_equal(json_object_get_string(v), "tab\there");
	assert_false(json_object_object_get_ex(o, "skipped", &v));
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_keep_code_and_gain_context),
		cmocka_unit_test(long_errors_are_cut_not_overrun),
		cmocka_unit_test(cut_strings_are_reported),
		cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
		cmocka_unit_test_setup_teardown(atomic_write_replaces_and_leaves_no_temporary,
						make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(failed_atomic_write_keeps_the_old_file, make_dir,
						remove_dir),
		cmocka_unit_test_setup_teardown(reads_are_bounded, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(second_lock_waits_and_times_out, make_dir,
						remove_dir),
		cmocka_unit_test(text_log_quotes_what_needs_it),
		cmocka_unit_test(json_log_is_json_whatever_is_in_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
