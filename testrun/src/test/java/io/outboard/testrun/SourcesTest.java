// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link Sources}: what the text of sources says. */
final class SourcesTest {
  @TempDir private Path root;

  private Sources read(String... classes) throws Exception {
    Files.writeString(root.resolve("pom.xml"), "<module>some</module>");
    Path folder = Files.createDirectories(root.resolve("some/src/test/java/a"));
    for (String text : classes) {
      String name = text.replaceFirst("(?s).*?class (\\w+).*", "$1");
      Files.writeString(folder.resolve(name + ".java"), "package a;\n\n" + text);
    }
    return Sources.read(root);
  }

  @Test
  void eachKindOfTestIsSeen() throws Exception {
    TestClass found =
        read("""
                @DisplayName("one class")
                final class EachTest {
                  @TempDir private Path folder;

                  @Test
                  void plain() throws Exception {
                    assertThrows(Usage.class, () -> parse("--quick"));
                  }

                  @BeforeEach
                  void prepares() {}

                  @ParameterizedTest(name = "{0}")
                  @CsvSource({
                    "a, {b}", //
                    "c, d"
                  })
                  void withParameters(String one, String other) {}

                  @Tag("long")
                  @TestFactory
                  Stream<DynamicTest> many(int count) {}

                  private void help() {}
                }
                """)
            .classes()
            .getFirst();
    assertEquals("a.EachTest", found.name());
    assertFalse(found.lengthy());
    assertEquals(
        new TreeMap<>(Map.of("plain", false, "withParameters", false, "many", true)),
        new TreeMap<>(found.methods()));
  }

  @Test
  void testsOfABaseAreTheClasss() throws Exception {
    Sources sources =
        read(
            "@Lengthy\nfinal class LastTest extends First {\n  @Test\n  void own() {}\n}\n",
            "abstract class First {\n  @Test\n  void common() {}\n}\n");
    assertEquals(1, sources.classes().size());
    TestClass last = sources.classes().getFirst();
    assertEquals(Map.of("own", false, "common", false), last.methods());
    assertFalse(last.isUsual());
  }

  @Test
  void testsOfABaseInAKitAreTheClasss() throws Exception {
    Path kit = Files.createDirectories(root.resolve("some-testkit/src/main/java/k"));
    Files.writeString(
        kit.resolve("Contract.java"),
        "package k;\n\npublic abstract class Contract {\n  @Test\n  void common() {}\n}\n");
    Path folder = Files.createDirectories(root.resolve("some/src/test/java/a"));
    Files.writeString(
        folder.resolve("LastTest.java"),
        "package a;\n\nfinal class LastTest extends Contract {}\n");
    Files.writeString(
        root.resolve("pom.xml"), "<module>some</module><module>some-testkit</module>");
    Sources sources = Sources.read(root);
    assertEquals(1, sources.classes().size());
    assertEquals(Map.of("common", false), sources.classes().getFirst().methods());
  }

  /** A name that the formatter's layout hides would be "no test" for the command. */
  @Test
  void eachClassOfTheseSourcesHasTests() throws Exception {
    for (TestClass type : Sources.read(Path.of("..")).classes()) {
      assertFalse(type.methods().isEmpty(), type::name);
    }
  }

  @Test
  void theQuickTestsAreThere() throws Exception {
    assertFalse(Quick.read().find(Sources.read(Path.of(".."))).isEmpty());
  }
}
