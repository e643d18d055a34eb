// SPDX-License-Identifier: Apache-2.0
/*
 * Runs a program and kills it (SIGKILL) after a time, wherever it is then.
 *
 * killat MICROSECONDS PROGRAM [ARGUMENT...]
 * Exit status: 0 if it was killed, 10 if it had ended well before, 11 if badly.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"

int main(int argc, char **argv)
{
	uint64_t us;
	struct timespec ts;
	struct pollfd p = {.fd = -1, .events = POLLIN};
	int status;
	pid_t pid;

	if (argc < 3 || rg_str_u64(argv[1], 60000000, &us) < 0) {
		(void)fprintf(stderr, "usage: killat MICROSECONDS PROGRAM [ARGUMENT...]\n");
		return 2;
	}
	ts.tv_sec = (time_t)(us / 1000000);
	ts.tv_nsec = (long)(us % 1000000) * 1000;
	pid = fork();
	if (pid == 0) {
		(void)execvp(argv[2], argv + 2);
		_exit(127);
	}
	/* it cannot be reaped by anyone else, so the number stays its own */
	p.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (pid < 0 || p.fd < 0) {
		perror("killat");
		return 2;
	}
	if (ppoll(&p, 1, &ts, NULL) == 0)
		(void)kill(pid, SIGKILL);
	if (waitpid(pid, &status, 0) != pid)
		return 2;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return 0;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 10 : 11;
}
