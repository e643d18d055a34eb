// SPDX-License-Identifier: Apache-2.0
/*
 * The CNI error object.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <json-c/json.h>

#include "fault.h"
#include "version.h"

static int errno_of(int code)
{
	switch (code) {
	case RG_CNI_VERSION:
		return -EPROTONOSUPPORT;
	case RG_CNI_IO:
		return -EIO;
	case RG_CNI_TRY_AGAIN:
		return -EAGAIN;
	case RG_CNI_FULL:
		return -ENOSPC;
	case RG_CNI_CONFLICT:
		return -EEXIST;
	case RG_CNI_PERMISSION:
		return -EPERM;
	default:
		return -EINVAL;
	}
}

int rg_fault_set(struct rg_fault *f, int code, const char *fmt, ...)
{
	va_list ap;

	f->code = code;
	f->err.code = errno_of(code);
	va_start(ap, fmt);
	(void)vsnprintf(f->err.msg, sizeof(f->err.msg), fmt, ap);
	va_end(ap);
	return f->err.code;
}

int rg_fault_code(struct rg_fault *f, int code, int r)
{
	f->code = code;
	f->err.code = r;
	return r;
}

int rg_fault_errno(struct rg_fault *f, int r)
{
	switch (r) {
	case -EAGAIN:
	case -ETIMEDOUT:
	case -EBUSY:
		return rg_fault_code(f, RG_CNI_TRY_AGAIN, r);
	case -ENOSPC:
		return rg_fault_code(f, RG_CNI_FULL, r);
	case -EEXIST:
	case -EADDRINUSE:
		return rg_fault_code(f, RG_CNI_CONFLICT, r);
	case -EPERM:
	case -EACCES:
		return rg_fault_code(f, RG_CNI_PERMISSION, r);
	default:
		return rg_fault_code(f, RG_CNI_FAILED, r);
	}
}

void rg_fault_print(const struct rg_fault *f, const char *cni_version)
{
	struct json_object *doc = json_object_new_object();

	json_object_object_add(doc, "cniVersion",
			       json_object_new_string(cni_version ? cni_version
								  : RG_VERSION_NEWEST));
	json_object_object_add(doc, "code",
			       json_object_new_int(f->code ? f->code : RG_CNI_INTERNAL));
	json_object_object_add(doc, "msg", json_object_new_string(f->err.msg));
	if (f->details[0])
		json_object_object_add(doc, "details", json_object_new_string(f->details));
	(void)puts(json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PRETTY |
							       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(doc);
}
