// SPDX-License-Identifier: Apache-2.0
/**
 * The processes that the daemon starts: workers, some of them ready for the next clients, and the
 * helpers that talk to a driver in its place. The daemon follows each process to its end.
 */
package io.outboard.backend.launch;
