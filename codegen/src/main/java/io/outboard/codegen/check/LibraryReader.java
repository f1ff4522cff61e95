// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Entry;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Results;
import io.outboard.codegen.model.Symbol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Reads an interface with {@link io.outboard.spec.Library} and those that it extends. */
public final class LibraryReader {
  private static final int LONGEST_NAME = 23;

  private final Problems problems;
  private final List<Symbol> symbols;
  private final Map<String, Entry> entries;
  private final Map<String, Integer> callbacks;
  private final Map<String, ExecutableElement> methods = new HashMap<>();

  /**
   * Creates one.
   *
   * @param symbols what the vendor's library exports; empty where it is not known
   * @param entries what its functions look at first; empty where it is not known
   * @param callbacks the numbers by which tools are told of its functions; empty where they are not
   */
  public LibraryReader(
      Problems problems,
      List<Symbol> symbols,
      Map<String, Entry> entries,
      Map<String, Integer> callbacks) {
    this.problems = problems;
    this.symbols = symbols;
    this.entries = entries;
    this.callbacks = callbacks;
  }

  /** Reads the library; mistakes are reported, and the model then is not to be used. */
  public Library read(TypeElement type) {
    io.outboard.spec.Library library = type.getAnnotation(io.outboard.spec.Library.class);
    checkLibrary(type, library);
    Map<Integer, Kind> kinds = kinds(type, library);
    HandleReader handles = new HandleReader(kinds, problems);
    StructureReader structures = new StructureReader(handles, problems);
    FunctionReader reader =
        new FunctionReader(new ParameterReader(handles, structures, problems), problems);
    OwnerChecks owners = new OwnerChecks(library.objects(), problems);
    List<Function> functions = new ArrayList<>();
    for (TypeElement part : interfaces(type)) {
      for (ExecutableElement method : ElementFilter.methodsIn(part.getEnclosedElements())) {
        if (!method.getModifiers().contains(Modifier.STATIC)
            && !method.getModifiers().contains(Modifier.PRIVATE)) {
          reader
              .read(method)
              .ifPresent(
                  function -> {
                    new FunctionChecks(function, method, library.keepsResults(), problems).check();
                    new TakesChecks(function, method, problems).check();
                    owners.check(function, method);
                    add(functions, function, method);
                  });
        }
      }
    }
    OlderChecks older = new OlderChecks(functions, problems);
    functions.forEach(function -> older.check(function, method(function)));
    new RangeChecks(functions, problems).check(methods);
    functions.sort(
        Comparator.comparing((Function f) -> !f.travels())
            .thenComparing(Function::number)
            .thenComparing(Function::name));
    return new Library(
        ((PackageElement) type.getEnclosingElement()).getQualifiedName().toString(),
        type.getSimpleName().toString(),
        library.name(),
        library.id(),
        library.soname(),
        library.addressType(),
        library.resultType(),
        library.survivesFork(),
        library.versionNodes(),
        library.objects(),
        library.keepsResults(),
        List.copyOf(kinds.values()),
        results(library),
        List.copyOf(functions),
        structures.structures(),
        symbols,
        entries,
        callbacks,
        Encoding.digest(functions));
  }

  /** The method that a function was read from. */
  public ExecutableElement method(Function function) {
    return methods.get(function.name());
  }

  private void add(List<Function> functions, Function function, ExecutableElement method) {
    for (Function other : functions) {
      if (function.travels() && other.number() == function.number()) {
        problems.error(
            method, "%s has the number %d of %s", function.name(), other.number(), other.name());
      }
      checkSymbols(function, other, method);
    }
    checkExported(function, method);
    methods.put(function.name(), method);
    functions.add(function);
  }

  private void checkSymbols(Function function, Function other, ExecutableElement method) {
    if (other.covers(function.name())) {
      problems.error(method, "%s is covered by %s already", function.name(), other.name());
    }
    for (String variant : function.variants()) {
      if (other.covers(variant)) {
        problems.error(method, "variant %s is covered by %s already", variant, other.name());
      }
    }
  }

  private void checkExported(Function function, ExecutableElement method) {
    Set<String> names = symbols.isEmpty() ? Set.of() : names();
    if (symbols.isEmpty()) {
      return;
    }
    if (!function.handWritten() && !names.contains(function.name())) {
      problems.error(
          method,
          "%s is no symbol of the vendor's library; a call of our own is @Custom",
          function.name());
    }
    boolean bound = function.travels() && !function.boundByHand();
    if (bound && isExtension(function) && function.firstHandle().isEmpty()) {
      problems.error(
          method,
          "%s is given no handle by which its vendor could be found: bind it by hand",
          function.name());
    }
    for (String variant : function.variants()) {
      if (!names.contains(variant)) {
        problems.error(method, "variant %s is no symbol of the vendor's library", variant);
      }
    }
  }

  private boolean isExtension(Function function) {
    return symbols.stream()
        .anyMatch(symbol -> symbol.name().equals(function.name()) && !symbol.exported());
  }

  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    symbols.forEach(symbol -> names.add(symbol.name()));
    return names;
  }

  private void checkLibrary(TypeElement type, io.outboard.spec.Library library) {
    if (library.name().isEmpty()
        || library.name().length() > LONGEST_NAME
        || !library.name().matches("[a-z][a-z0-9]*")) {
      problems.error(
          type, "the name of a library is 1 to 23 lower-case letters and digits, a letter first");
    }
    if (library.id() < 1 || library.id() > 65_535) {
      problems.error(type, "the number of a library is 1 to 65,535, not %d", library.id());
    }
    if (library.results().success() != 0) {
      problems.error(type, "success must be 0");
    }
    if (!(type.getEnclosingElement() instanceof PackageElement)) {
      problems.error(type, "a library's interface lies in a package, not in a class");
    }
  }

  private Map<Integer, Kind> kinds(TypeElement type, io.outboard.spec.Library library) {
    Map<Integer, Kind> kinds = new LinkedHashMap<>();
    for (io.outboard.spec.Kind kind : library.kinds()) {
      if (kind.id() < 1 || kind.id() > 63) {
        problems.error(type, "the number of a kind is 1 to 63, not %d", kind.id());
      }
      if (!kind.name().matches("[a-z][a-z0-9]*")
          || kinds.values().stream().anyMatch(other -> other.name().equals(kind.name()))) {
        problems.error(type, "kind \"%s\": names are lower case, and each its own", kind.name());
      }
      List<Long> specials = Arrays.stream(kind.specials()).boxed().toList();
      if (specials.stream().anyMatch(value -> value < -1 || value > 2)) {
        problems.error(type, "kind %s: a special value is −1, 0, 1 or 2", kind.name());
      }
      if (kind.perThread() != 0
          && !(specials.contains(0L) && specials.contains(kind.perThread()))) {
        problems.error(type, "kind %s: 0 and the per-thread value are specials", kind.name());
      }
      Kind read =
          new Kind(
              kind.id(),
              kind.name(),
              kind.type(),
              kind.holds(),
              kind.invalid(),
              kind.garbage() == 0 ? kind.other() : kind.garbage(),
              kind.absent(),
              kind.other(),
              specials,
              kind.perThread(),
              kind.everywhere(),
              kind.bounded());
      if (kinds.put(kind.id(), read) != null) {
        problems.error(type, "two kinds have the number %d", kind.id());
      }
    }
    return kinds;
  }

  private static Results results(io.outboard.spec.Library library) {
    io.outboard.spec.Results results = library.results();
    return new Results(
        results.invalidValue(),
        results.notSupported(),
        results.notInitialized(),
        results.unavailable(),
        results.outOfMemory(),
        results.outOfDeviceMemory() == 0 ? results.outOfMemory() : results.outOfDeviceMemory(),
        results.versionMismatch(),
        Arrays.stream(results.lasting()).boxed().toList());
  }

  /** The interface and all that it extends, each once. */
  private static Set<TypeElement> interfaces(TypeElement type) {
    Set<TypeElement> all = new LinkedHashSet<>();
    for (TypeMirror parent : type.getInterfaces()) {
      all.addAll(interfaces((TypeElement) ((DeclaredType) parent).asElement()));
    }
    all.add(type);
    return all;
  }
}
