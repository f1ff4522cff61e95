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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Every function is the vendor's: name, number of parameters, width of each, and the versions by
 * which programs ask for it. Only where a toolkit is installed.
 */
@EnabledIf("isInstalled")
final class VendorHeaderTest {
  private static final Path TOOLKIT =
      Path.of(System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda"));
  private static final Path INCLUDE = TOOLKIT.resolve("include");

  private static final Prototypes DRIVER = new Prototypes("cuda.h", "CUresult");
  private static final Pattern TYPEDEF = Pattern.compile("\\*\\s*PFN_(cu\\w+)\\)");

  /** A base name, the version, and whether the stream is the thread's. */
  private static final Pattern VERSIONED = Pattern.compile("(cu\\w+?)_v(\\d+)(_pt[ds][sz])?");

  /** Of Windows, and of Tegra. */
  private static final Set<String> ELSEWHERE =
      Set.of("cuWGLGetDevice_v2020", "cuEventCreateFromEGLSync_v9000");

  static boolean isInstalled() {
    return Files.exists(INCLUDE.resolve("cuda.h"));
  }

  @Test
  void parametersAreTheHeaders() throws IOException, InterruptedException {
    Map<String, List<Integer>> theirs =
        DRIVER.widths(List.of("-I" + INCLUDE, "-D__CUDA_API_VERSION_INTERNAL"));
    Map<String, List<Integer>> ours = DRIVER.widths(List.of("-I" + Home.generated("cuda")));
    int compared = 0;
    for (Map.Entry<String, List<Integer>> one : ours.entrySet()) {
      if (theirs.containsKey(one.getKey())) {
        assertEquals(theirs.get(one.getKey()), one.getValue(), one.getKey());
        compared++;
      }
    }
    assertTrue(compared > 350, "only " + compared);
  }

  @Test
  void versionsAreTheHeaders() throws IOException {
    Set<String> theirs = new TreeSet<>();
    try (var files = Files.list(INCLUDE)) {
      for (Path file : files.filter(f -> f.toString().endsWith("Typedefs.h")).toList()) {
        Matcher found = TYPEDEF.matcher(Files.readString(file));
        while (found.find()) {
          theirs.add(found.group(1));
        }
      }
    }
    theirs.removeIf(name -> !VERSIONED.matcher(name).matches());
    theirs.removeAll(ELSEWHERE);
    Map<String, String> symbols = new HashMap<>();
    for (String line : Files.readAllLines(Home.PATH.resolve("cuda/symbols.tsv"))) {
      String[] fields = line.split("\t", -1);
      if (!line.startsWith("#") && !fields[2].equals("-")) {
        symbols.put(key(fields[1], fields[2], fields[3].equals("1")), fields[0]);
      }
    }
    Set<String> asked = new TreeSet<>();
    theirs.forEach(name -> asked.add(key(name)));
    assertEquals(asked, new TreeSet<>(symbols.keySet()));
  }

  private static String key(String typedef) {
    Matcher parts = VERSIONED.matcher(typedef);
    assertTrue(parts.matches(), typedef);
    return key(parts.group(1), parts.group(2), parts.group(3) != null);
  }

  private static String key(String base, String version, boolean perThread) {
    return base + " " + version + (perThread ? " per thread" : "");
  }
}
