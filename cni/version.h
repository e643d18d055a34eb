/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Versions of the CNI specification.
 */
#ifndef RG_CNI_VERSION_H
#define RG_CNI_VERSION_H

/**
 * enum rg_cni_version - versions that the plugin speaks, oldest first
 */
enum rg_cni_version {
	RG_CNI_0_3_0,
	RG_CNI_0_3_1,
	RG_CNI_0_4_0, /* CHECK */
	RG_CNI_1_0_0, /* no "version" in "ips" */
	RG_CNI_1_1_0, /* GC, STATUS, "mtu", "pciID", more keys of routes */
	RG_CNI_VERSION_MAX,
};

#define RG_VERSION_NEWEST "1.1.0"

/**
 * rg_version_find() - version by its text
 * @text: such as "1.0.0"
 *
 * Return: enum rg_cni_version, or -EPROTONOSUPPORT
 */
int rg_version_find(const char *text);

/**
 * rg_version_text() - text of a version
 * @version: version
 */
const char *rg_version_text(enum rg_cni_version version);

/**
 * rg_version_list() - all versions, for messages
 *
 * Return: "0.3.0, 0.3.1, ..."
 */
const char *rg_version_list(void);

/**
 * rg_version_print() - answer the command VERSION
 * @version: version to answer in
 */
void rg_version_print(const char *version);

#endif /* RG_CNI_VERSION_H */
