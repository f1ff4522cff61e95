// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/** Looks after the devices of a backend, in a thread of its own, until it is closed. */
interface DeviceHealth extends AutoCloseable {
  /** Where nothing can be known. */
  DeviceHealth UNKNOWN = () -> {};

  /** Who is told of devices that have failed. */
  @FunctionalInterface
  interface Listener {
    /** As {@link Admission#failed}. */
    void failed(String device, String why);
  }

  @Override
  void close();
}
