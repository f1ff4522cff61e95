// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.service;

/**
 * An implementation that a jar has; generated for a class that is marked {@code @Offloaded}, and
 * found by {@code ServiceLoader}.
 */
public interface Service {
  /** The name of its interface. */
  String name();

  /** The SHA-256 of the encodings of its interface, 64 hexadecimal digits. */
  String digest();

  /** Makes the implementation, which may take what its place provides. */
  Dispatcher open(Provided provided);
}
