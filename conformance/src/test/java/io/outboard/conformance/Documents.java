// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Pages that are given away. */
final class Documents {
  /** A link to no other machine; what it leads to, without a section of that. */
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

  private Documents() {}

  /** Fails where a link of a page in a folder leads nowhere, or there are fewer pages. */
  static void check(Path folder, int least) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> pages = files.filter(file -> file.toString().endsWith(".md")).toList();
      assertTrue(pages.size() >= least, pages::toString);
      for (Path page : pages) {
        check(page);
      }
    }
  }

  /** Fails where a link of a page leads nowhere. */
  static void check(Path page) throws IOException {
    Matcher link = LINK.matcher(Files.readString(page));
    while (link.find()) {
      Path target = page.resolveSibling(link.group(1));
      assertTrue(Files.exists(target), () -> page + " links to " + target);
    }
  }
}
