// SPDX-License-Identifier: Apache-2.0
/**
 * A session as the daemon sees it: who has opened it, what its worker counts, whether it is
 * suspended, and how it has ended. {@link io.outboard.backend.supervision.Admission} decides who is
 * served, and with what; the pool implements it. All that a worker says counts as hostile.
 */
package io.outboard.backend.supervision;
