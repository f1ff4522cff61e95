// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** With programs that use CUDA. */
@Execution(ExecutionMode.CONCURRENT)
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
