// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interfaces that may be offloaded compile for Java 17; others are refused where they stand. */
final class OffloadProcessorTest {
  @TempDir private Path folder;

  /** A source file in memory. */
  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(String text) {
      super(URI.create("string:///One.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignore) {
      return text;
    }
  }

  /** The errors of a source; none if it compiles. */
  private List<String> errors(String text) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    String imports = "import io.outboard.offload.*; import java.util.*;\n";
    JavaCompiler.CompilationTask task =
        compiler.getTask(
            null,
            null,
            said,
            List.of(
                "--release",
                "17",
                "-Xlint:all,-options,-auxiliaryclass,-processing",
                "-d",
                folder.toString()),
            null,
            List.of(new Text(imports + text)));
    task.setProcessors(List.of(new OffloadProcessor()));
    boolean unused = task.call();
    return said.getDiagnostics().stream().map(one -> one.getMessage(Locale.ROOT)).toList();
  }

  private void isRefused(String why, String text) {
    List<String> errors = errors(text);
    assertTrue(errors.stream().anyMatch(one -> one.contains(why)), () -> text + ": " + errors);
  }

  private static String method(String method) {
    return "@Offload(\"one\") interface One { " + method + " }";
  }

  @Test
  void eachKindOfTypeCompilesWithoutAWarning() {
    assertEquals(
        List.of(),
        errors(
            """
            @Offload("one") interface One {
              enum Way { UP, DOWN }
              record Empty() {}
              record Point(int x, List<Optional<Way>> ways, int[][] nested, String[] texts) {}
              sealed interface Shape permits Dot, Both {}
              record Dot(Point at) implements Shape {}
              record Both(Shape one, Map<String, Shape> other, Empty nothing) implements Shape {}
              final class NoException extends Exception {
                private static final long serialVersionUID = 1L;
                NoException(String text) { super(text); }
              }
              @Repeatable Shape turn(Shape in, @Most(3) List<Integer> out, Way result)
                  throws NoException;
              void nothing();
              @Split(over = "numbers", join = Split.Join.SUM)
              double sum(Range numbers, String other) throws NoException;
              @Split(over = "part", join = Split.Join.CONCAT)
              List<Point> list(int one, Range part);
              long[] e(boolean size, byte begin, short failure, char thrown, double remote);
              default int local(int choice) { return choice; }
            }
            @Offloaded final class OneHere implements One {
              @Override public Shape turn(Shape in, List<Integer> out, Way result) { return in; }
              @Override public void nothing() {}
              @Override public double sum(Range numbers, String other) { return 0; }
              @Override public List<Point> list(int one, Range part) { return List.of(); }
              @Override public long[] e(boolean a, byte b, short c, char d, double e) {
                return new long[0];
              }
            }
            """));
  }

  @Test
  void whatDoesNotTravelIsRefused() {
    isRefused("does not travel", method("Object any();"));
    isRefused("does not travel", method("void any(java.io.File file);"));
    isRefused("does not travel", method("void any(Set<String> set);"));
    isRefused("does not travel", method("record Pair<T>(T one) {} void any(Pair<String> pair);"));
    isRefused("does not travel", method("interface Open {} void any(Open one);"));
    isRefused("does not travel", method("void any(List<? extends Number> some);"));
    isRefused("array of a generic type", method("void any(List<String>[] some);"));
    isRefused("says of what it is", method("@SuppressWarnings(\"rawtypes\") void any(List some);"));
    isRefused("is generic", method("record Pair<T>(T one) {} void any(Pair<String> pair);"));
  }

  @Test
  void interfacesAndMethodsAreOfOneShape() {
    isRefused("is for an interface", "@Offload(\"one\") final class One {}");
    isRefused("no methods", "@Offload(\"one\") interface One {}");
    isRefused("1 to 63 letters", "@Offload(\"a b\") interface One { void any(); }");
    isRefused("generic interface", "@Offload(\"one\") interface One<T> { void any(); }");
    isRefused("extends no other", "@Offload(\"one\") interface One extends Runnable { int a(); }");
    isRefused("generic method", method("<T> void any();"));
    isRefused("no constructor that takes a text", method("void any() throws java.io.IOError;"));
    isRefused("at least 1", method("void any(@Most(0) String text);"));
    isRefused(
        "no interface that is marked",
        "@Offloaded final class One implements Runnable { public void run() {} }");
  }

  @Test
  void whatCannotBeSplitIsRefused() {
    String split = "@Split(over = \"all\", join = Split.Join.%s) ";
    isRefused("over a parameter that is", method(split.formatted("SUM") + "int any(int all);"));
    isRefused("over a parameter that is", method(split.formatted("SUM") + "int any(Range one);"));
    isRefused("joins int", method(split.formatted("SUM") + "String any(Range all);"));
    isRefused("joins int", method(split.formatted("SUM") + "void any(Range all);"));
    isRefused("joins int", method(split.formatted("CONCAT") + "int any(Range all);"));
  }

  @Test
  void anImplementationTakesNothingOrItsGpu() {
    isRefused(
        "takes nothing, or one io.outboard.gpu.GpuSource",
        method("void any();")
            + " @Offloaded final class Here implements One { Here(String text) {}"
            + " @Override public void any() {} }");
  }

  private String digest(String text) throws Exception {
    assertEquals(List.of(), errors(text));
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
      return (String) loader.loadClass("OneRemote").getField("DIGEST").get(null);
    }
  }

  @Test
  void theDigestSaysWhetherEncodingsAreTheSame() throws Exception {
    String first = digest("@Offload(\"one\") public interface One { int any(long first); }");
    assertEquals(64, first.length());
    assertEquals(first, digest("@Offload(\"one\") public interface One { int any(long other); }"));
    for (String other :
        List.of(
            "@Offload(\"two\") public interface One { int any(long first); }",
            "@Offload(\"one\") public interface One { int any(int first); }",
            "@Offload(\"one\") public interface One { long any(long first); }",
            "@Offload(\"one\") public interface One { @Repeatable int any(long first); }",
            "@Offload(\"one\") public interface One { int any(long first); int more(); }")) {
      assertNotEquals(first, digest(other), other);
    }
  }

  @Test
  void theServiceIsNamedInTheJar() throws IOException {
    assertEquals(
        List.of(),
        errors(
            """
            @Offload("one") interface One { void any(); }
            @Offloaded final class Here implements One { @Override public void any() {} }
            """));
    Path services = folder.resolve("META-INF/services/io.outboard.offload.service.Service");
    assertEquals("HereService\n", Files.readString(services));
  }
}
