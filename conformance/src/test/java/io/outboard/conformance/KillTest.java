// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import org.junit.jupiter.api.extension.RegisterExtension;

/** With programs that use CUDA. */
final class KillTest extends Kills {
  @RegisterExtension static final Backend BACKEND = new Backend("software", "--grace=0");

  @Override
  Backend backend() {
    return BACKEND;
  }

  @Override
  String program() {
    return "steady";
  }
}
