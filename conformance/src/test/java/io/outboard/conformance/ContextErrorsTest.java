// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The functions of contexts are told of errors, with a host's library that tells of some: PoCL does
 * not. Only where the host has a device and the library could be built.
 */
@EnabledIf("isPossible")
final class ContextErrorsTest {
  private static final Path HOST = Home.PROGRAMS.resolve("host");
  private static final String PROGRAM = Home.PROGRAMS.resolve("contextErrors").toString();

  @RegisterExtension
  static final Backend BACKEND = new Backend(ContextErrorsTest::onThatHost, "opencl");

  static boolean isPossible() throws IOException, InterruptedException {
    String device = Home.EXAMPLES.resolve("opencl/vectorAdd").toString();
    return Files.exists(HOST.resolve("libOpenCL.so.1"))
        && Program.run(List.of(device), Map.of()).status() == 0;
  }

  private static List<String> onThatHost(Path temporary) {
    return Backend.fromSources(temporary, "LD_LIBRARY_PATH=" + HOST);
  }

  @Test
  void eachContextIsToldOfItsOwn() throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Map<String, String> variables = new HashMap<>(BACKEND.variables(endpoint));
      variables.put("LD_LIBRARY_PATH", Home.LIBRARIES.resolve("opencl").toString());
      Program.Ended ended = Program.run(List.of(PROGRAM), variables);
      assertTrue(ended.output().endsWith("passed\n"), ended::toString);
      assertEquals(0, ended.status(), ended::toString);
    }
  }
}
