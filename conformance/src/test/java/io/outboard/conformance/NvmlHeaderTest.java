// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Every function and structure of the management library is the vendor's. Only where its header is:
 * in the folder NVML_INCLUDE, or in a toolkit.
 */
@EnabledIf("isInstalled")
final class NvmlHeaderTest {
  private static final Path INCLUDE =
      Path.of(
          System.getenv()
              .getOrDefault(
                  "NVML_INCLUDE",
                  System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda") + "/include"));
  private static final List<String> VENDORS =
      List.of("-I" + INCLUDE, "-DNVML_NO_UNVERSIONED_FUNC_DEFS");
  private static final List<String> OWN = List.of("-I" + Home.generated("nvml"));

  /** A structure of ours by the vendor's name. */
  private static final Pattern STRUCTURE = Pattern.compile("(?m)^} (nvml\\w+_t);");

  static boolean isInstalled() {
    return Files.exists(INCLUDE.resolve("nvml.h"));
  }

  @Test
  void parametersAreTheHeaders() throws IOException, InterruptedException {
    Prototypes prototypes = new Prototypes("nvml.h", "nvmlReturn_t");
    Map<String, List<Integer>> theirs = prototypes.widths(VENDORS);
    Map<String, List<Integer>> ours = prototypes.widths(OWN);
    int compared = 0;
    for (Map.Entry<String, List<Integer>> one : ours.entrySet()) {
      if (theirs.containsKey(one.getKey())) {
        assertEquals(theirs.get(one.getKey()), one.getValue(), one.getKey());
        compared++;
      }
    }
    assertTrue(compared > 190, "only " + compared);
  }

  @Test
  void structuresAreTheHeaders() throws IOException, InterruptedException {
    String own = Files.readString(Home.generated("nvml").resolve("nvml.h"));
    List<String> names = STRUCTURE.matcher(own).results().map(found -> found.group(1)).toList();
    assertTrue(names.size() > 40, names::toString);
    assertEquals(sizes(names, VENDORS), sizes(names, OWN));
  }

  private static Map<String, String> sizes(List<String> names, List<String> options)
      throws IOException, InterruptedException {
    StringBuilder program = new StringBuilder("#include <stdio.h>\n#include <nvml.h>\n");
    program.append("int main(void) {\n");
    for (String name : names) {
      program.append("printf(\"%s %%d\\n\", (int)sizeof(%s));\n".formatted(name, name));
    }
    Map<String, String> sizes = new TreeMap<>();
    Gcc.run(program.append("return 0;\n}\n").toString(), options)
        .lines()
        .map(line -> line.split(" "))
        .forEach(words -> sizes.put(words[0], words[1]));
    return sizes;
  }
}
