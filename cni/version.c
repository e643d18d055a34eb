// SPDX-License-Identifier: Apache-2.0
/*
 * Versions of the CNI specification.
 */
#include <errno.h>
#include <stdio.h>
#include <json-c/json.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "version.h"

static const char *const texts[RG_CNI_VERSION_MAX] = {
	[RG_CNI_0_3_0] = "0.3.0", [RG_CNI_0_3_1] = "0.3.1",	      [RG_CNI_0_4_0] = "0.4.0",
	[RG_CNI_1_0_0] = "1.0.0", [RG_CNI_1_1_0] = RG_VERSION_NEWEST,
};

int rg_version_find(const char *text)
{
	for (int i = 0; i < RG_CNI_VERSION_MAX; i++) {
		if (rg_str_equal(texts[i], text))
			return i;
	}
	return -EPROTONOSUPPORT;
}

const char *rg_version_text(enum rg_cni_version version)
{
	return texts[version];
}

const char *rg_version_list(void)
{
	return "0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0";
}

void rg_version_print(const char *version)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		json_object_array_add(list, json_object_new_string(texts[i]));
	json_object_object_add(doc, "cniVersion", json_object_new_string(version));
	json_object_object_add(doc, "supportedVersions", list);
	(void)puts(json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PRETTY));
	json_object_put(doc);
}
