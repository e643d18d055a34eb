/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words for what the maps hold as numbers, the same as in the configuration file.
 */
#ifndef RG_CTL_NAMES_H
#define RG_CTL_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define RG_PROTO_NAME_SIZE 16

struct rg_allow;

/**
 * rg_name_mode() - "enforce", "audit", "off", "none"
 * @mode: enum rg_mode
 */
const char *rg_name_mode(unsigned int mode);

/**
 * rg_name_profile() - "standard", "strict"
 * @profile: enum rg_profile
 */
const char *rg_name_profile(unsigned int profile);

/**
 * rg_name_from() - "host", "pods", "any"
 * @from: RG_FROM_* mask
 */
const char *rg_name_from(unsigned int from);

/**
 * rg_name_hook() - "rail-tx", "rail-rx", "pod-tx", "pod-rx"
 * @hook: enum rg_hook
 */
const char *rg_name_hook(unsigned int hook);

/**
 * rg_name_kind() - "host", "macvlan", ...
 * @kind: enum rg_kind
 */
const char *rg_name_kind(unsigned int kind);

/**
 * rg_name_proto() - name of an IP protocol
 * @proto: number
 * @buf: used for one without a name
 *
 * Return: "tcp", or "protocol 99"
 */
const char *rg_name_proto(uint8_t proto, char buf[RG_PROTO_NAME_SIZE]);

/**
 * rg_name_allow() - an exception, such as "udp port 3784 to 10.0.0.0/8 from host"
 * @allow: exception
 * @buf: text
 * @size: bytes at @buf
 *
 * Return: @buf
 */
char *rg_name_allow(const struct rg_allow *allow, char *buf, size_t size);

#endif /* RG_CTL_NAMES_H */
