// SPDX-License-Identifier: Apache-2.0
/*
 * Delegation to IPAM plugins: find the program, run it with the request on its standard input,
 * take its answer within a time limit. It runs in a process group of its own, so that a plugin
 * that hangs is killed together with whatever it started.
 */
#define _GNU_SOURCE /* pipe2(), environ */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "conf/schema.h"
#include "ipam.h"

#define ANSWER_MAX  (256 * 1024)
#define OVERRIDES   2
#define ANSWER_DEEP 32

/**
 * struct exchange - one run of a plugin
 * @to: its standard input
 * @from: its standard output
 * @request: what is still to be written
 * @request_len: bytes of @request
 * @answer: what it has printed; owned
 * @answer_len: bytes of @answer
 * @deadline_ms: CLOCK_MONOTONIC milliseconds
 */
struct exchange {
	int to;
	int from;
	const char *request;
	size_t request_len;
	char *answer;
	size_t answer_len;
	int64_t deadline_ms;
};

static int64_t now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int timeout_ms(void)
{
	const char *text = getenv("RAILGATE_IPAM_TIMEOUT_MS");
	uint64_t ms;

	if (text && rg_str_u64(text, INT_MAX, &ms) == 0)
		return (int)ms;
	return RG_CNI_IPAM_TIMEOUT_MS;
}

static int find_plugin(const struct rg_cni_env *env, const char *type, char *path, size_t size,
		       struct rg_cni_error *error)
{
	const char *dir = env->path;

	while (*dir) {
		size_t len = strcspn(dir, ":");

		if (len && rg_str_format(path, size, "%.*s/%s", (int)len, dir, type) == 0 &&
		    access(path, X_OK) == 0)
			return 0;
		dir += len;
		dir += *dir == ':';
	}
	return rg_cni_fail(error, RG_CNI_CONFIG,
			   "ipam.type: no plugin \"%s\" in CNI_PATH (%.256s); install it there",
			   type, env->path);
}

/* The environment with CNI_COMMAND and CNI_IFNAME replaced; the strings are not owned. */
static char **make_environment(char *const overrides[OVERRIDES])
{
	static const char *const replaced[] = {"CNI_COMMAND=", "CNI_IFNAME="};
	size_t n = 0, i, k;
	char **list;

	while (environ[n])
		n++;
	list = calloc(n + OVERRIDES + 1, sizeof(*list));
	if (!list)
		return NULL;
	for (i = 0, k = 0; i < n; i++)
		if (!rg_str_prefix(environ[i], replaced[0]) &&
		    !rg_str_prefix(environ[i], replaced[1]))
			list[k++] = environ[i];
	for (i = 0; i < OVERRIDES; i++)
		list[k++] = overrides[i];
	return list;
}

static int spawn(const char *path, const char *command, const char *ifname, int in, int out,
		 pid_t *ret_pid)
{
	char set_command[32], set_ifname[32];
	char *const overrides[OVERRIDES] = {set_command, set_ifname};
	char *argv[] = {(char *)path, NULL};
	_cleanup_free_ char **environment = NULL;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, defaults;
	int r;

	(void)snprintf(set_command, sizeof(set_command), "CNI_COMMAND=%s", command);
	(void)snprintf(set_ifname, sizeof(set_ifname), "CNI_IFNAME=%s", ifname);
	environment = make_environment(overrides);
	if (!environment)
		return -ENOMEM;
	(void)sigemptyset(&none);
	/* ignored here, but the plugin expects the default */
	(void)sigemptyset(&defaults);
	(void)sigaddset(&defaults, SIGPIPE);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawnattr_init(&attr);
	(void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	(void)posix_spawnattr_setsigdefault(&attr, &defaults);
	(void)posix_spawnattr_setsigmask(&attr, &none);
	r = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn(ret_pid, path, &actions, &attr, argv, environment);
	(void)posix_spawnattr_destroy(&attr);
	(void)posix_spawn_file_actions_destroy(&actions);
	return -r;
}

static int send_some(struct exchange *x)
{
	ssize_t n = write(x->to, x->request, x->request_len);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < 0 && errno != EPIPE)
		return -errno;
	/* a plugin may close its input unread; what counts is its answer */
	if (n < 0)
		n = (ssize_t)x->request_len;
	x->request += n;
	x->request_len -= (size_t)n;
	if (!x->request_len) {
		(void)close(x->to);
		x->to = -EBADF;
	}
	return 0;
}

/* Return: 1 if more may come, 0 at the end, -errno */
static int receive_some(struct exchange *x)
{
	char *bigger = realloc(x->answer, x->answer_len + 4096 + 1);
	ssize_t n;

	if (!bigger)
		return -ENOMEM;
	x->answer = bigger;
	n = read(x->from, x->answer + x->answer_len, 4096);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 1 : -errno;
	x->answer_len += (size_t)n;
	x->answer[x->answer_len] = '\0';
	if (x->answer_len > ANSWER_MAX)
		return -EFBIG;
	return n > 0;
}

static int talk(struct exchange *x)
{
	int more = 1;

	while (more > 0) {
		struct pollfd fds[] = {
			{.fd = x->from, .events = POLLIN},
			{.fd = x->to, .events = POLLOUT},
		};
		int64_t left = x->deadline_ms - now_ms();
		int r;

		if (left <= 0)
			return -ETIMEDOUT;
		r = poll(fds, ARRAY_SIZE(fds), (int)left);
		if (r < 0 && errno != EINTR)
			return -errno;
		if (r <= 0)
			continue;
		if (fds[1].revents && x->to >= 0) {
			r = send_some(x);
			if (r < 0)
				return r;
		}
		if (fds[0].revents)
			more = receive_some(x);
	}
	return more;
}

/* Waits for the plugin to end, which it may do after closing its output. */
static int reap(pid_t pid, int64_t deadline_ms, int *ret_status)
{
	const struct timespec step = {.tv_nsec = 1000000};

	for (;;) {
		pid_t r = waitpid(pid, ret_status, WNOHANG);

		if (r == pid)
			return 0;
		if (r < 0 && errno != EINTR)
			return -errno;
		if (now_ms() >= deadline_ms)
			return -ETIMEDOUT;
		(void)nanosleep(&step, NULL);
	}
}

static int run(const char *path, const char *command, const char *ifname, struct exchange *x,
	       int *ret_status)
{
	_cleanup_close_ int in = -EBADF, out = -EBADF, to = -EBADF, from = -EBADF;
	int fds[2], r;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	in = fds[0];
	to = fds[1];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	from = fds[0];
	out = fds[1];
	if (fcntl(to, F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	r = spawn(path, command, ifname, in, out, &pid);
	if (r < 0)
		return r;
	(void)close(TAKE_FD(in));
	(void)close(TAKE_FD(out));
	x->from = from;
	x->to = TAKE_FD(to);
	r = talk(x);
	if (x->to >= 0)
		(void)close(x->to);
	if (r == 0)
		r = reap(pid, x->deadline_ms, ret_status);
	if (r < 0) {
		(void)kill(-pid, SIGKILL);
		while (waitpid(pid, ret_status, 0) < 0 && errno == EINTR)
			;
	}
	return r;
}

/* The plugin's own error object, with its code and words. */
static int pass_error_on(const char *type, const char *command, const struct exchange *x,
			 int status, struct rg_cni_error *error)
{
	struct json_object *doc = NULL, *msg, *details;
	int64_t code;

	if (WIFSIGNALED(status))
		return rg_cni_fail(error, RG_CNI_FAILED,
				   "IPAM plugin \"%s\" was killed by signal %d in %s", type,
				   WTERMSIG(status), command);
	if (!x->answer_len ||
	    rg_schema_parse_text(x->answer, x->answer_len, ANSWER_DEEP, &doc, NULL) < 0 ||
	    !json_object_is_type(doc, json_type_object)) {
		json_object_put(doc);
		return rg_cni_fail(
			error, RG_CNI_FAILED,
			"IPAM plugin \"%s\" failed in %s with status %d and no error object: "
			"%.200s",
			type, command, WEXITSTATUS(status), x->answer ? x->answer : "");
	}
	code = json_object_get_int64(json_object_object_get(doc, "code"));
	msg = json_object_object_get(doc, "msg");
	details = json_object_object_get(doc, "details");
	(void)rg_cni_fail(error,
			  code > 0 && code <= UINT32_MAX ? (unsigned int)code : RG_CNI_FAILED,
			  "IPAM plugin \"%s\": %s", type,
			  msg ? json_object_get_string(msg) : "failed without a message");
	if (details)
		(void)rg_str_copy(error->details, sizeof(error->details),
				  json_object_get_string(details));
	json_object_put(doc);
	return -EINVAL;
}

static int take_answer(const char *type, const char *command, const struct exchange *x,
		       struct json_object **ret, struct rg_cni_error *error)
{
	struct rg_err err = {.code = 0};

	if (!ret)
		return 0;
	*ret = NULL;
	if (!x->answer_len)
		return 0;
	if (rg_schema_parse_text(x->answer, x->answer_len, ANSWER_DEEP, ret, &err) < 0)
		return rg_cni_fail(error, RG_CNI_DECODE,
				   "IPAM plugin \"%s\" answered %s with text that is %s", type,
				   command, err.msg);
	return 0;
}

int rg_cni_ipam_call(const struct rg_cni_env *env, const struct rg_cni_netconf *conf,
		     const char *command, const char *ifname, struct json_object **ret,
		     struct rg_cni_error *error)
{
	const char *type = conf->ipam_type;
	int limit = timeout_ms(), status = 0, r;
	struct exchange x = {.to = -EBADF, .from = -EBADF};
	char path[PATH_MAX];

	r = find_plugin(env, type, path, sizeof(path), error);
	if (r < 0)
		return r;
	x.request = json_object_to_json_string_ext(conf->doc, JSON_C_TO_STRING_PLAIN);
	x.request_len = strlen(x.request);
	x.deadline_ms = now_ms() + limit;
	(void)signal(SIGPIPE, SIG_IGN);
	r = run(path, command, ifname, &x, &status);
	if (r == -ETIMEDOUT)
		r = rg_cni_fail(
			error, RG_CNI_AGAIN,
			"IPAM plugin \"%s\" did not answer %s within %d ms and was killed; see "
			"what it waits for",
			type, command, limit);
	else if (r < 0)
		r = rg_cni_fail(error, RG_CNI_IO, "cannot run IPAM plugin %s: %s", path,
				strerror(-r));
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		r = pass_error_on(type, command, &x, status, error);
	else
		r = take_answer(type, command, &x, ret, error);
	free(x.answer);
	return r;
}
