// SPDX-License-Identifier: Apache-2.0
/*
 * Which names may become part of a path in the store.
 */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/str.h"
#include "state/store.h"

bool rg_store_valid_id(const char *id)
{
	size_t len = strlen(id);

	/* room for what rg_fs_replace() puts around a name */
	if (!len || len >= RG_RECORD_ID_SIZE || len > NAME_MAX - 32 || !isalnum((unsigned char)*id))
		return false;
	for (; *id; id++) {
		if (!isalnum((unsigned char)*id) && !strchr("_.-", *id))
			return false;
	}
	return true;
}

bool rg_store_valid_ifname(const char *ifname)
{
	size_t len = strlen(ifname);

	if (!len || len >= IF_NAMESIZE || rg_str_equal(ifname, ".") || rg_str_equal(ifname, ".."))
		return false;
	for (; *ifname; ifname++) {
		if (*ifname == '/' || *ifname == ':' || isspace((unsigned char)*ifname))
			return false;
	}
	return true;
}
