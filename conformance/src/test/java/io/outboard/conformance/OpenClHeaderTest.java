// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The functions of OpenCL have the parameters, and its constants the values, of Khronos' header.
 * Only where that is: in the folder OPENCL_INCLUDE, or in the system's.
 */
@EnabledIf("isInstalled")
final class OpenClHeaderTest {
  private static final Path INCLUDE =
      Path.of(System.getenv().getOrDefault("OPENCL_INCLUDE", "/usr/include"));
  private static final List<String> THEIRS =
      List.of("-I" + INCLUDE, "-DCL_TARGET_OPENCL_VERSION=300");
  private static final List<String> OWN = List.of("-I" + Home.generated("opencl"));

  /** A constant of the frontend's, and its value. */
  private static final Pattern CONSTANT =
      Pattern.compile("\\b(CL_[A-Z0-9_]+) = ([-x0-9A-F]+(?: << [0-9]+)?)");

  static boolean isInstalled() {
    return Files.exists(INCLUDE.resolve("CL/cl.h"));
  }

  @Test
  void parametersAreTheHeaders() throws IOException, InterruptedException {
    String results = "(?:int|cl_\\w+)(?=\\s+cl[A-Z])";
    Map<String, List<Integer>> theirs = new Prototypes("CL/cl_ext.h", results).widths(THEIRS);
    Map<String, List<Integer>> ours = new Prototypes("opencl.h", results).widths(OWN);
    int compared = 0;
    for (Map.Entry<String, List<Integer>> one : ours.entrySet()) {
      if (theirs.containsKey(one.getKey())) {
        assertEquals(theirs.get(one.getKey()), one.getValue(), one.getKey());
        compared++;
      }
    }
    assertTrue(compared > 95, "only " + compared);
  }

  @Test
  void constantsAreTheHeaders() throws IOException, InterruptedException {
    StringBuilder program = new StringBuilder("#include <CL/cl.h>\n#include <CL/cl_ext.h>\n");
    Set<String> ours = constants();
    assertTrue(ours.size() > 60, ours::toString);
    ours.forEach(constant -> program.append(assertion(constant)));
    Gcc.run(program.append("int main(void) { return 0; }\n").toString(), THEIRS);
  }

  private static Set<String> constants() throws IOException {
    Set<String> constants = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Home.PATH.resolve("frontend/opencl"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        CONSTANT
            .matcher(Files.readString(file))
            .results()
            .forEach(one -> constants.add(one.group()));
      }
    }
    return constants;
  }

  private static String assertion(String constant) {
    return "_Static_assert(%s, \"%s\");%n"
        .formatted(constant.replace(" = ", " == (") + ")", constant);
  }
}
