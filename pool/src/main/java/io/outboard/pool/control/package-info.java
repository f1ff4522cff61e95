// SPDX-License-Identifier: Apache-2.0
/**
 * Answers to people: the verbs of the control connection about leases, accounts and devices. A
 * member of the socket's group may ask less than the operator. Devices that are handed over are
 * found among the files of this host.
 */
package io.outboard.pool.control;
