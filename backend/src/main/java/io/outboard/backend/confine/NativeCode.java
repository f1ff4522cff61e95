// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.confine;

import java.util.Collection;
import java.util.Set;

/**
 * Whose native code runs here: code that a client brings to the machine's processors.
 *
 * @param libraries the names of those that run such code
 * @param confinement of workers that may run others' code than the operator's
 */
public record NativeCode(Set<String> libraries, Confinement confinement) {
  private static final String WHAT = "native code (OpenCL on processors, plug-ins)";

  /** Whether a client that asks for libraries may get a confined worker, and wants one for them. */
  public boolean isFor(Collection<String> asked) {
    return confinement.isAvailable() && asked.stream().anyMatch(libraries::contains);
  }

  /** The answer for people, in a line; empty where there is no such library. */
  public String text() {
    if (libraries.isEmpty()) {
      return "";
    }
    return confinement.isAvailable()
        ? "%s: offered to everybody; workers of others than the operator are confined (%s)"
            .formatted(WHAT, confinement.text())
        : "%s: offered to the operator alone; workers cannot be confined: %s"
            .formatted(WHAT, confinement.text());
  }
}
