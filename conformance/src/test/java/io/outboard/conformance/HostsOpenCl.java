// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The OpenCL devices of this machine, where there are some. */
final class HostsOpenCl {
  private HostsOpenCl() {}

  /** Skips a test on a machine without one. */
  static void assumePresent() throws IOException, InterruptedException {
    String program = Home.EXAMPLES.resolve("opencl/vectorAdd").toString();
    Program.Ended direct = Program.run(List.of(program), Map.of());
    assumeTrue(direct.status() == 0, "this machine has no OpenCL device: " + direct.errors());
  }

  /** A backend that serves them. */
  static Backend serve() throws IOException, InterruptedException {
    assumePresent();
    Backend backend = new Backend("opencl");
    backend.beforeAll(null);
    return backend;
  }
}
