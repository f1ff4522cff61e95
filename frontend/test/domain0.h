/* SPDX-License-Identifier: Apache-2.0
 *
 * Domain 0 of domains.h, as threads of the test's process: takes the channels that GUEST offers,
 * and carries each to a backend, as outboard-xen does.
 */
#ifndef OUTBOARD_DOMAIN0_H
#define OUTBOARD_DOMAIN0_H

/* For a backend at tcp:// that stays, in a new folder, which becomes the process's: the domains'
 * devices are its files. One that was started before takes no more channels. */
void domain0_start(const char *backend);

#endif
