/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telling the service manager how the agent is: sd_notify(3) without its library.
 */
#ifndef RG_DAEMON_NOTIFY_H
#define RG_DAEMON_NOTIFY_H

/**
 * rg_notify() - send a state to the service manager
 * @state: lines of KEY=VALUE, such as "READY=1\nSTATUS=2 rails"
 *
 * Does nothing without $NOTIFY_SOCKET. A manager that does not listen is no fault of the agent.
 */
void rg_notify(const char *state);

/**
 * rg_notify_reloading() - say that a reload has begun; rg_notify("READY=1") ends it
 */
void rg_notify_reloading(void);

#endif /* RG_DAEMON_NOTIFY_H */
