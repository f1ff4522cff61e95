// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.wire.Token;

/**
 * A socket at which the next daemon finds a worker that outlives its own.
 *
 * @param socket bound to a path and not listening: to a peer the kernel names the process that
 *     listens
 * @param key that daemon and worker prove to each other
 * @param path of the socket; beside it the daemon keeps its facts of the session
 */
public record Succession(int socket, Token key, String path) {
  /** The end of the name of the file with the daemon's facts. */
  public static final String FACTS = ".facts";
}
