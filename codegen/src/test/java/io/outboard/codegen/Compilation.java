// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Runs the processor over sources that are text, and keeps what comes out. */
final class Compilation {
  private final Path output;
  private final List<String> options = new ArrayList<>();
  private final List<JavaFileObject> sources = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();

  /** Writes into a folder that is there. */
  Compilation(Path output) {
    this.output = output;
  }

  Compilation option(String option) {
    options.add(option);
    return this;
  }

  Compilation source(String name, String text) {
    sources.add(new Source(name, text));
    return this;
  }

  Compilation source(Path file) throws IOException {
    return source(file.getFileName().toString().replace(".java", ""), Files.readString(file));
  }

  /** Generates and compiles nothing. */
  Compilation run() {
    return option("-proc:only").compile();
  }

  /** Generates and compiles everything. */
  Compilation compile() {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("-d", output.toString(), "-s", output.toString()));
    JavaCompiler.CompilationTask task =
        ToolProvider.getSystemJavaCompiler()
            .getTask(null, null, diagnostics, all, List.of(), sources);
    task.setProcessors(List.of(new OutboardProcessor()));
    task.call();
    for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
      if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
        errors.add(diagnostic.getLineNumber() + ": " + diagnostic.getMessage(Locale.ROOT));
      }
    }
    return this;
  }

  /** The errors, each {@code LINE: MESSAGE}. */
  List<String> errors() {
    return errors;
  }

  /** The generated files by name. */
  Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(output)) {
      walk.filter(Files::isRegularFile)
          .forEach(file -> files.put(file.getFileName().toString(), read(file)));
    }
    return files;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
