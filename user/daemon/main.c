// SPDX-License-Identifier: Apache-2.0
/*
 * railgated: puts the rail policy into force, follows the rails, serves metrics.
 *
 * It is not part of the data path. Everything that enforces is pinned, so that a stop, a crash or
 * an upgrade of the agent is never seen by a packet.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "conf/conf.h"
#include "daemon/agent.h"
#include "daemon/loop.h"
#include "daemon/notify.h"

static int check_config(const char *path)
{
	_cleanup_free_ struct rg_conf *conf = NULL;
	struct rg_err err = {0};

	if (rg_conf_load(path, &conf, &err) < 0) {
		(void)fprintf(stderr, "railgated: %s\n", err.msg);
		return EXIT_FAILURE;
	}
	(void)printf("%s: ok, %zu rail(s)\n", path, conf->n_rails);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static struct rg_agent agent;
	struct rg_err err = {0};
	int status, r;

	if (!rg_options_parse(argc, argv, &agent.options, &status))
		return status;
	rg_log_setup(agent.options.log_level, agent.options.log_json);
	if (agent.options.check_config)
		return check_config(agent.options.config);
	r = rg_agent_start(&agent, &err);
	if (r == 0) {
		log_info("railgated " RG_VERSION " is ready");
		rg_notify("READY=1");
		r = rg_loop_run(agent.loop, &err);
	}
	if (r < 0)
		log_err("%s", err.msg);
	rg_agent_done(&agent);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
