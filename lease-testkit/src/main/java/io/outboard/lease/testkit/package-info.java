// SPDX-License-Identifier: Apache-2.0
/** For tests alone: the contract of every store of leases, and devices and requests to try. */
package io.outboard.lease.testkit;
