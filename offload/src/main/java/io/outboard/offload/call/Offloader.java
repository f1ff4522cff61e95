// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.call;

/** A backend that runs services, as generated code uses it. */
public interface Offloader {
  /**
   * A way to call a service. It connects when it is first used.
   *
   * @param name of its interface
   * @param digest of the encodings of the interface, 64 hexadecimal digits
   */
  Caller caller(String name, String digest);

  /** Decides where calls run. */
  Choice choice();
}
