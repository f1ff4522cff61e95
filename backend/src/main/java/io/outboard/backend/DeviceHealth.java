// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/** Looks after the devices of a backend, in a thread of its own, until it is closed. */
interface DeviceHealth extends AutoCloseable {
  /** Where nothing can be known. */
  DeviceHealth UNKNOWN = () -> {};

  @Override
  void close();
}
