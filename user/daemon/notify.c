// SPDX-License-Identifier: Apache-2.0
/*
 * Telling the service manager how the agent is.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "daemon/notify.h"

void rg_notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	_cleanup_close_ int fd = -EBADF;
	socklen_t len;

	if (!path || (*path != '/' && *path != '@') ||
	    rg_str_copy(addr.sun_path, sizeof(addr.sun_path), path) < 0)
		return;
	len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
	if (*path == '@')
		addr.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&addr, len);
}

void rg_notify_reloading(void)
{
	struct timespec now;
	char state[96];

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	if (rg_str_format(state, sizeof(state), "RELOADING=1\nMONOTONIC_USEC=%lld",
			  (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000) == 0)
		rg_notify(state);
}
