// SPDX-License-Identifier: Apache-2.0
/**
 * Gives leases their devices and takes them back. It admits sessions, suspends and resumes them,
 * and ends leases whose time is over. A decision is in the store before anybody hears of it.
 */
package io.outboard.pool.broker;
