// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.confine;

/**
 * Whose native code runs here: code that a client brings to the machine's processors.
 *
 * @param isServed whether there is a library that runs such code
 * @param confinement of workers that may run others' code than the operator's
 */
public record NativeCode(boolean isServed, Confinement confinement) {
  private static final String WHAT = "native code (OpenCL on processors, plug-ins)";

  /** Whether clients that are not the operator get confined workers. */
  public boolean isForEverybody() {
    return isServed && confinement.isAvailable();
  }

  /** The answer for people, in a line; empty where there is no such library. */
  public String text() {
    if (!isServed) {
      return "";
    }
    return confinement.isAvailable()
        ? "%s: offered to everybody; workers of others than the operator are confined (%s)"
            .formatted(WHAT, confinement.text())
        : "%s: offered to the operator alone; workers cannot be confined: %s"
            .formatted(WHAT, confinement.text());
  }
}
