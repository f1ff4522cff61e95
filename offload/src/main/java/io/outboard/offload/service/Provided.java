// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.service;

/** The things of its place that an implementation may have. */
public interface Provided {
  /**
   * Returns the one of a type.
   *
   * @throws IllegalArgumentException if this place has none
   */
  <T> T get(Class<T> type);

  /** A place that has nothing. */
  static Provided nothing() {
    return new Provided() {
      @Override
      public <T> T get(Class<T> type) {
        throw new IllegalArgumentException("there is no " + type.getName() + " here");
      }
    };
  }
}
