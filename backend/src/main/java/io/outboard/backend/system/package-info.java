// SPDX-License-Identifier: Apache-2.0
/**
 * The ground of the backend: the log, memory outside the heap, doorbells, the page that daemon and
 * worker share, and what processes are allowed. Every other package may use it. It knows no session
 * and no library.
 */
package io.outboard.backend.system;
