// SPDX-License-Identifier: Apache-2.0
/*
 * The plugin's errors.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/str.h"
#include "error.h"

int rg_cni_fail(struct rg_cni_error *error, unsigned int code, const char *fmt, ...)
{
	va_list ap;

	error->code = code;
	error->details[0] = '\0';
	va_start(ap, fmt);
	(void)vsnprintf(error->msg, sizeof(error->msg), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

int rg_cni_fail_err(struct rg_cni_error *error, int r, const struct rg_err *err)
{
	unsigned int code;

	switch (r) {
	case -EAGAIN:
	case -EBUSY:
	case -ETIMEDOUT:
		code = RG_CNI_AGAIN;
		break;
	case -ENOSPC:
		code = RG_CNI_FULL;
		break;
	default:
		code = RG_CNI_FAILED;
		break;
	}
	(void)rg_cni_fail(error, code, "%s", err->msg);
	if (r == -EPERM || r == -EACCES)
		(void)rg_str_copy(
			error->details, sizeof(error->details),
			"the plugin must run as root with CAP_NET_ADMIN, CAP_SYS_ADMIN and "
			"CAP_BPF");
	return -EINVAL;
}

void rg_cni_error_print(const struct rg_cni_error *error, const char *version)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "cniVersion", json_object_new_string(version));
	json_object_object_add(o, "code", json_object_new_int64(error->code));
	json_object_object_add(o, "msg", json_object_new_string(error->msg));
	if (error->details[0])
		json_object_object_add(o, "details", json_object_new_string(error->details));
	(void)puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							     JSON_C_TO_STRING_NOSLASHESCAPE));
	(void)fflush(stdout);
	json_object_put(o);
}
