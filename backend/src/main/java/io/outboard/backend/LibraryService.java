// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.util.Optional;

/**
 * A library plug-in of the backend, found by {@link java.util.ServiceLoader}: a jar on the worker's
 * class path is enough.
 */
public interface LibraryService {
  /** The library's short name, as in the greeting. */
  String library();

  /**
   * Opens the library for a session.
   *
   * @throws DeviceException if what the session asks for is not there; the message goes to the
   *     client
   */
  LibraryInstance open(SessionContext context) throws DeviceException;

  /**
   * What a worker that serves these devices rehearses before it has a client; none unless a library
   * says so.
   */
  default Optional<RehearsalPiece> rehearsal(String devices) {
    return Optional.empty();
  }
}
