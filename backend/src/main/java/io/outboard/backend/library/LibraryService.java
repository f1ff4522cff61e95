// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A library of the backend, found by {@link java.util.ServiceLoader} on the class path and in
 * plug-ins ({@link io.outboard.plugin.PlugIns}).
 */
public interface LibraryService {
  /** A session's reason to have no library that runs such code, for people. */
  String NO_NATIVE_CODE =
      "no native code may run in this session: it is the operator's, or of a program that asks for"
          + " the library when it begins, where the host can confine it ('outboard doctor --host'"
          + " there says whether)";

  /** The library's short name, as in the greeting. */
  String library();

  /** Its number in frames; no two libraries have the same. */
  int number();

  /** The kinds of its handles, bit k for kind k; no two libraries have one in common. */
  long kinds();

  /**
   * Opens the library for a session.
   *
   * @throws DeviceException if what the session asks for is not there; the message goes to the
   *     client
   */
  LibraryInstance open(SessionContext context) throws DeviceException;

  /**
   * Whether it may run native code that a client brings, on the processors of this machine, where
   * these devices are served. A library that does not know is one that may.
   */
  default boolean runsNativeCode(String devices) {
    return true;
  }

  /**
   * Opens the part of it, for a session, that runs no such code.
   *
   * @throws DeviceException if there is no such part
   */
  default LibraryInstance openWithoutNativeCode(SessionContext context) throws DeviceException {
    throw new DeviceException(library() + ": " + NO_NATIVE_CODE);
  }

  /**
   * Does what a session with these devices will need and no session is needed for; no device is
   * touched.
   *
   * @param enough says whether a client has come
   */
  default void prepare(String devices, BooleanSupplier enough) {}

  /**
   * Returns the script by which a worker for these devices warms up before it has a client; none by
   * default.
   */
  default Optional<WarmUpScript> warmUpScript(String devices) {
    return Optional.empty();
  }
}
