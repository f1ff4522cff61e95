// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The two ways to a toy that is somewhere else. */
enum ToyClient {
  /** The client for the JVM. */
  JVM,
  /** The C stubs, called by the native binding. */
  C;

  /** A session of its own; the test is skipped where there is no C compiler. */
  ToySession session() {
    if (this == JVM) {
      return new ToySession((caller, log) -> new ToyRemote(caller));
    }
    assumeTrue(CToy.canBeBuilt(), "no C compiler");
    return new ToySession(CToy::new);
  }
}
