// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

/** Looks after the devices of a backend, in a thread of its own, until it is closed. */
public interface DeviceHealth extends AutoCloseable {
  /** Where nothing can be known. */
  DeviceHealth UNKNOWN = () -> {};

  @Override
  void close();
}
