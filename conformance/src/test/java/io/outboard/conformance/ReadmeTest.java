// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the documents say of the code, held against it. */
final class ReadmeTest {
  private static final Path README = Home.PATH.resolve("README.md");
  private static final Pattern TABLE =
      Pattern.compile("(?s)(<!-- coverage -->\n)(.*?)(<!-- /coverage -->)");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

  @Test
  void theReadmeHasTheGeneratedTable() throws IOException {
    String expected =
        String.join(
                "\n",
                Files.readAllLines(Home.coverage("cuda")).stream()
                    .dropWhile(line -> !line.startsWith("|"))
                    .takeWhile(line -> line.startsWith("|"))
                    .toList())
            + "\n";
    String readme = Files.readString(README);
    Matcher table = TABLE.matcher(readme);
    assertTrue(table.find(), "the README has no table between its marks");
    String replacement = "$1" + Matcher.quoteReplacement(expected) + "$3";
    Committed.check(README, table.replaceFirst(replacement));
  }

  @Test
  void linksOfTheDocumentsLeadSomewhere() throws IOException {
    for (String name : List.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "PROTOCOL.md")) {
      Matcher link = LINK.matcher(Files.readString(Home.PATH.resolve(name)));
      while (link.find()) {
        String target = link.group(1);
        assertTrue(Files.exists(Home.PATH.resolve(target)), () -> name + " links to " + target);
      }
    }
  }
}
