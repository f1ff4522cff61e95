// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.util.List;
import java.util.stream.Stream;

/**
 * Finds tests by what people call them: a module, a class, {@code Class.method}, a program in C;
 * before a class or a program may stand {@code MODULE/}. What a class is in several modules is all
 * of them.
 */
final class Names {
  private final Sources sources;

  Names(Sources sources) {
    this.sources = sources;
  }

  /**
   * The tests of a name.
   *
   * @throws Usage there are none; the message has names that are near
   */
  List<Wanted> find(String name) throws Usage {
    List<Wanted> found = new WantedName(name).find();
    if (found.isEmpty()) {
      throw new Usage("there is no test '" + name + "'" + suggestions(name));
    }
    return found;
  }

  /** For a wrong method of a class that there is, the methods; else what is near. */
  private String suggestions(String name) {
    String bare = name.substring(name.lastIndexOf('/') + 1).replace('#', '.');
    int dot = bare.lastIndexOf('.');
    String type = dot < 0 ? bare : bare.substring(0, dot);
    List<String> methods =
        sources.classes().stream()
            .filter(owner -> owner.simpleName().equals(type) || owner.name().equals(type))
            .flatMap(owner -> owner.methods().keySet().stream())
            .toList();
    if (dot >= 0 && !methods.isEmpty()) {
      List<String> near = Distance.near(bare.substring(dot + 1), methods.stream());
      return "; " + type + " has " + String.join(", ", near.isEmpty() ? methods : near);
    }
    List<String> near = Distance.near(type, all());
    return near.isEmpty() ? "" : "; did you mean " + String.join(", ", near) + "?";
  }

  private Stream<String> all() {
    return Stream.of(
            sources.classes().stream().map(TestClass::module),
            sources.classes().stream().map(TestClass::simpleName),
            sources.programs().stream())
        .flatMap(part -> part);
  }

  private final class WantedName {
    private final String module;
    private final String name;

    WantedName(String given) {
      String path = given.replaceFirst("\\.(java|c)$", "").replaceFirst("/(src/)?test/.*/", "/");
      int slash = path.indexOf('/');
      module = slash < 0 ? "" : path.substring(0, slash);
      name =
          path.substring(path.lastIndexOf('/') + 1).replace('#', '.').replaceFirst("[(\\[{].*", "");
    }

    private boolean isHere(String other) {
      return module.isEmpty() || module.equals(other);
    }

    List<Wanted> find() {
      if (module.isEmpty() && sources.modules().contains(name)) {
        return ofModule();
      }
      return Stream.concat(programs(), classes()).toList();
    }

    private List<Wanted> ofModule() {
      return Stream.concat(
              sources.programs().stream()
                  .filter(_ -> name.equals(Sources.FRONTEND))
                  .map(Wanted::program),
              sources.classes().stream()
                  .filter(type -> type.module().equals(name) && type.isUsual())
                  .map(Wanted::whole))
          .toList();
    }

    private Stream<Wanted> programs() {
      return sources.programs().stream()
          .filter(program -> isHere(Sources.FRONTEND) && program.equals(name))
          .map(Wanted::program);
    }

    private Stream<Wanted> classes() {
      return sources.classes().stream().filter(type -> isHere(type.module())).flatMap(this::wanted);
    }

    private Stream<Wanted> wanted(TestClass type) {
      if (isNamed(type, name)) {
        return Stream.of(Wanted.whole(type));
      }
      int dot = name.lastIndexOf('.');
      String method = name.substring(dot + 1);
      return dot >= 0 && isNamed(type, name.substring(0, dot)) && type.methods().containsKey(method)
          ? Stream.of(Wanted.method(type, method))
          : Stream.empty();
    }

    private boolean isNamed(TestClass type, String called) {
      return type.name().equals(called) || type.simpleName().equals(called);
    }
  }
}
