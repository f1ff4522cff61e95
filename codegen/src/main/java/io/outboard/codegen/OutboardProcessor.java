// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import io.outboard.codegen.check.CallbacksFile;
import io.outboard.codegen.check.EntriesFile;
import io.outboard.codegen.check.LibraryReader;
import io.outboard.codegen.check.LockFile;
import io.outboard.codegen.check.Problems;
import io.outboard.codegen.check.SymbolsFile;
import io.outboard.codegen.emit.Emitters;
import io.outboard.codegen.emit.text.Output;
import io.outboard.codegen.model.Entry;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Symbol;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.Filer;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.annotation.processing.SupportedOptions;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.tools.FileObject;
import javax.tools.StandardLocation;

/**
 * Generates everything that follows from an interface with {@link io.outboard.spec.Library}.
 *
 * <p>Options: {@code outboard.lock} names the file that locks numbers and encodings, {@code
 * outboard.lock.update=true} rewrites it, {@code outboard.symbols} names the list of the vendor's
 * symbols, {@code outboard.entries} what its functions look at first, {@code outboard.callbacks}
 * the numbers by which tools are told of them.
 */
@SupportedAnnotationTypes("io.outboard.spec.Library")
@SupportedOptions({
  OutboardProcessor.LOCK,
  OutboardProcessor.LOCK_UPDATE,
  OutboardProcessor.SYMBOLS,
  OutboardProcessor.ENTRIES,
  OutboardProcessor.CALLBACKS
})
public final class OutboardProcessor extends AbstractProcessor {
  static final String LOCK = "outboard.lock";
  static final String LOCK_UPDATE = "outboard.lock.update";
  static final String SYMBOLS = "outboard.symbols";
  static final String ENTRIES = "outboard.entries";
  static final String CALLBACKS = "outboard.callbacks";

  /** Creates one; javac does. */
  public OutboardProcessor() {}

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    for (TypeElement type :
        ElementFilter.typesIn(round.getElementsAnnotatedWith(io.outboard.spec.Library.class))) {
      generate(type);
    }
    return false;
  }

  private void generate(TypeElement type) {
    Problems problems = new Problems(processingEnv.getMessager());
    try {
      LibraryReader reader = new LibraryReader(problems, symbols(), entries(), callbacks());
      Library library = reader.read(type);
      String lock = processingEnv.getOptions().get(LOCK);
      if (lock != null && !problems.any()) {
        new LockFile(Path.of(lock), updatesLock(), problems).check(library, type, reader);
      }
      if (!problems.any()) {
        Emitters.emit(library, output(type));
      }
    } catch (IOException e) {
      problems.error(type, "%s", e);
    }
  }

  private boolean updatesLock() {
    return Boolean.parseBoolean(processingEnv.getOptions().get(LOCK_UPDATE));
  }

  private List<Symbol> symbols() throws IOException {
    String file = processingEnv.getOptions().get(SYMBOLS);
    return file == null ? List.of() : SymbolsFile.read(Path.of(file));
  }

  private Map<String, Entry> entries() throws IOException {
    String file = processingEnv.getOptions().get(ENTRIES);
    return file == null ? Map.of() : EntriesFile.read(Path.of(file));
  }

  private Map<String, Integer> callbacks() throws IOException {
    String file = processingEnv.getOptions().get(CALLBACKS);
    return file == null ? Map.of() : CallbacksFile.read(Path.of(file));
  }

  private Output output(TypeElement type) {
    Filer filer = processingEnv.getFiler();
    return new Output() {
      @Override
      public void java(String name, String text) throws IOException {
        write(filer.createSourceFile(name, type), text);
      }

      @Override
      public void resource(String path, String text) throws IOException {
        write(filer.createResource(StandardLocation.CLASS_OUTPUT, "", path, type), text);
      }
    };
  }

  private static void write(FileObject file, String text) throws IOException {
    try (Writer writer = file.openWriter()) {
      writer.write(text);
    }
  }
}
