// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Older;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.ExecutableElement;

/** Checks the functions of one library that are older forms of others. */
final class OlderChecks {
  private final List<Function> functions;
  private final Problems problems;

  OlderChecks(List<Function> functions, Problems problems) {
    this.functions = functions;
    this.problems = problems;
  }

  void check(Function function, ExecutableElement method) {
    Optional<Older> older = function.older();
    if (older.isEmpty()) {
      return;
    }
    Optional<Function> newer = named(older.get().as());
    if (newer.isEmpty() || newer.get().equals(function)) {
      problems.error(method, "%s: \"%s\" is no other function", function.name(), older.get().as());
      return;
    }
    if (!older.get().undo().isEmpty() && named(older.get().undo()).isEmpty()) {
      problems.error(method, "%s: \"%s\" is no function", function.name(), older.get().undo());
    }
    checkVariants(function, newer.get(), method);
    checkArguments(function, older.get(), newer.get(), method);
  }

  private Optional<Function> named(String name) {
    return functions.stream().filter(f -> f.name().equals(name)).findFirst();
  }

  private void checkVariants(Function function, Function newer, ExecutableElement method) {
    for (String variant : function.variants()) {
      boolean ending = variant.startsWith(function.name());
      String other = ending ? newer.name() + variant.substring(function.name().length()) : "";
      if (!ending || !newer.covers(other)) {
        problems.error(method, "variant %s: %s has none of this ending", variant, newer.name());
      }
    }
  }

  /** The parameters in C of what has a prototype of its own are the compiler's to check. */
  private void checkArguments(
      Function function, Older older, Function newer, ExecutableElement method) {
    List<Parameter> taken = newer.vendors();
    boolean paired = taken.size() == older.with().size();
    if (!paired && newer.prototype().isEmpty()) {
      problems.error(
          method,
          "%s: %s has %d parameters, not %d",
          function.name(),
          newer.name(),
          taken.size(),
          older.with().size());
      return;
    }
    for (int i = 0; i < older.with().size(); i++) {
      String argument = older.with().get(i);
      checkArgument(function, argument, method);
      Optional<Parameter> own = function.parameter(argument);
      if (paired && own.isPresent() && !fits(own.get(), taken.get(i))) {
        problems.error(
            method, "%s: %s does not fit %s", function.name(), argument, taken.get(i).name());
      }
    }
  }

  private void checkArgument(Function function, String argument, ExecutableElement method) {
    boolean value =
        argument.startsWith("&")
            && function
                .parameter(argument.substring(1))
                .filter(p -> p instanceof Value || p instanceof Pointer)
                .isPresent();
    boolean known = function.parameter(argument).isPresent();
    if (!value && !known && !argument.matches("-?\\d+|NULL")) {
      problems.error(
          method, "%s: \"%s\" is no parameter, number or NULL", function.name(), argument);
    }
  }

  /** Whether both are the same, or the own one is the narrower form of the other. */
  private static boolean fits(Parameter own, Parameter taken) {
    if (own instanceof Value mine && taken instanceof Value theirs) {
      return mine.type() == theirs.type() || widens(mine.type(), theirs.type());
    }
    if (own instanceof Pointer mine && taken instanceof Pointer theirs) {
      return mine.target().equals(theirs.target()) || fits(mine, theirs);
    }
    return true;
  }

  private static boolean fits(Pointer own, Pointer taken) {
    if (own.direction() != taken.direction() || own.count().isPresent()) {
      return false;
    }
    if (own.target() instanceof Target.Scalars(Scalar mine)
        && taken.target() instanceof Target.Scalars(Scalar theirs)) {
      return widens(mine, theirs) && own.direction().writes() && !own.direction().reads();
    }
    return own.target() instanceof Target.Structures(Structure mine)
        && taken.target() instanceof Target.Structures(Structure theirs)
        && mine.members().stream().allMatch(member -> fits(member, theirs));
  }

  private static boolean fits(Member own, Structure taken) {
    return own instanceof Member.Plain(_, _, Scalar mine, int count, _, _, _)
        && count == 0
        && taken.members().stream()
            .anyMatch(
                other ->
                    other.name().equals(own.name())
                        && other instanceof Member.Plain(_, _, Scalar theirs, _, _, _, _)
                        && (mine == theirs || widens(mine, theirs)));
  }

  private static boolean widens(Scalar from, Scalar to) {
    return from == Scalar.INT && to == Scalar.LONG;
  }
}
