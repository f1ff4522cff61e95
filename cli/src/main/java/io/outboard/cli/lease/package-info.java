// SPDX-License-Identifier: Apache-2.0
/**
 * The commands about leases, and the handover of devices. They ask a backend's daemon over its
 * control connection. A row prints a lease as the daemon describes it.
 */
package io.outboard.cli.lease;
