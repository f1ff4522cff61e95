// SPDX-License-Identifier: Apache-2.0
/**
 * The worker process: it waits for one client, serves it, and ends with it. It receives the
 * client's connection and further ones from the daemon, and takes the daemon's orders for its
 * session.
 */
package io.outboard.backend.worker;
