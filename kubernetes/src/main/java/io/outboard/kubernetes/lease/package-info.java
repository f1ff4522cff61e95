// SPDX-License-Identifier: Apache-2.0
/** Leases of a cluster: what is asked for there, and what the lease office has, are kept alike. */
package io.outboard.kubernetes.lease;
