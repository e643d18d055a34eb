// SPDX-License-Identifier: Apache-2.0
/*
 * railgate: the CNI plugin. Environment and standard input in, JSON on standard output out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/str.h"
#include "bpf/diag.h"
#include "call.h"
#include "commands.h"
#include "fault.h"
#include "netconf.h"

typedef int (*command_fn)(const struct rg_call *call, const struct rg_netconf *conf,
			  struct rg_fault *f);

static const command_fn commands[RG_COMMAND_MAX] = {
	[RG_COMMAND_ADD] = rg_cni_add,	     [RG_COMMAND_DEL] = rg_cni_del,
	[RG_COMMAND_CHECK] = rg_cni_check,   [RG_COMMAND_GC] = rg_cni_gc,
	[RG_COMMAND_STATUS] = rg_cni_status,
};

/* Called by a person. */
static int introduce(void)
{
	(void)fprintf(stderr,
		      "railgate %s, CNI plugin for RDMA rails; called by a container runtime, see "
		      "railgate(8)\nCNI protocol versions supported: %s\n",
		      RG_VERSION, rg_version_list());
	return EXIT_SUCCESS;
}

static int run(struct rg_fault *f, const char **ret_version)
{
	struct rg_netconf conf = {0};
	struct rg_call call = {0};
	int r = rg_call_from_env(&call, f);

	r = r ? r : rg_call_read_input(&call, STDIN_FILENO, f);
	if (r == 0 && call.command == RG_COMMAND_VERSION) {
		/* answers whatever is asked: a name is not needed, nor a version that it knows */
		(void)rg_netconf_parse(&call, &conf, f);
		rg_version_print(rg_version_text(conf.version));
	} else if (r == 0) {
		r = rg_netconf_parse(&call, &conf, f);
		*ret_version = rg_version_text(conf.version);
		r = r ? r : commands[call.command](&call, &conf, f);
	}
	rg_netconf_done(&conf);
	rg_call_done(&call);
	return r;
}

int main(int argc, char *argv[])
{
	const char *version = NULL;
	struct rg_fault f = {0};

	if (argc > 1 && (rg_str_equal(argv[1], "--version") || rg_str_equal(argv[1], "-V"))) {
		(void)printf("railgate %s\n", RG_VERSION);
		return EXIT_SUCCESS;
	}
	if (!getenv("CNI_COMMAND"))
		return introduce();
	/* standard error goes into the runtime's log: what matters is in the error object */
	rg_bpf_messages(NULL);
	if (run(&f, &version) == 0)
		return EXIT_SUCCESS;
	rg_fault_print(&f, version);
	return EXIT_FAILURE;
}
