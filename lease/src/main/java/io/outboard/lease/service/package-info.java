// SPDX-License-Identifier: Apache-2.0
/** What can be asked of leases, in types: what it is carried by is no matter of these. */
package io.outboard.lease.service;
