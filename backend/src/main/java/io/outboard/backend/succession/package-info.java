// SPDX-License-Identifier: Apache-2.0
/**
 * The daemon's facts of sessions that outlive it, in a folder that its user alone enters: a socket
 * of each worker, and beside it what the next daemon has to know of the session.
 */
package io.outboard.backend.succession;
