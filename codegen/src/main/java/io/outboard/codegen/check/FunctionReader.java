// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Older;
import io.outboard.codegen.model.Parameter;
import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Cached;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Found;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Refused;
import io.outboard.spec.Same;
import io.outboard.spec.Settles;
import io.outboard.spec.Variants;
import io.outboard.spec.WrittenOn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;

/** Reads one method. */
final class FunctionReader {
  /** Why a function that does not travel is written by hand. */
  private static final String NO_CALL = "no call";

  private final ParameterReader parameters;
  private final Problems problems;

  FunctionReader(ParameterReader parameters, Problems problems) {
    this.parameters = parameters;
    this.problems = problems;
  }

  /** Reads a method; empty if it says neither that it travels nor that it does not. */
  Optional<Function> read(ExecutableElement method) {
    Call call = method.getAnnotation(Call.class);
    Local local = method.getAnnotation(Local.class);
    Same same = method.getAnnotation(Same.class);
    boolean refused = method.getAnnotation(Refused.class) != null;
    if (Stream.of(call != null, local != null, same != null, refused).filter(said -> said).count()
        != 1) {
      problems.error(
          method, "%s: exactly one of @Call, @Local, @Same and @Refused", method.getSimpleName());
      return Optional.empty();
    }
    if (method.getReturnType().getKind() != TypeKind.INT) {
      problems.error(method, "%s returns the library's result, an int", method.getSimpleName());
    }
    boolean hasBody = method.getModifiers().contains(Modifier.DEFAULT);
    Custom custom = method.getAnnotation(Custom.class);
    if (call != null && (call.value() < 1 || call.value() > 65_535)) {
      problems.error(method, "the number of a call is 1 to 65,535, not %d", call.value());
    }
    if (call == null && !hasBody) {
      problems.error(
          method, "%s: a method that does not travel is a default one", method.getSimpleName());
    }
    if (call == null && custom != null) {
      problems.error(method, "%s: @Custom is for calls", method.getSimpleName());
    }
    checkFound(method, custom);
    if (custom != null && custom.value().isBlank()) {
      problems.error(method, "%s: @Custom says why", method.getSimpleName());
    }
    DeviceWork work = method.getAnnotation(DeviceWork.class);
    Variants variants = method.getAnnotation(Variants.class);
    List<Parameter> read = parameters.read(method);
    return Optional.of(
        new Function(
            call == null ? 0 : call.value(),
            method.getSimpleName().toString(),
            answering(method),
            variants == null ? List.of() : List.of(variants.value()),
            variants == null ? "" : variants.inStream(),
            read,
            byHand(local, custom, read),
            custom != null && custom.binding(),
            prototype(local, same, custom),
            hasBody,
            method.getAnnotation(Settles.class) != null,
            Optional.ofNullable(work).map(DeviceWork::value),
            work == null ? "" : work.in(),
            new TakesReader(method, problems).read(),
            writtenOn(method),
            new AroundReader(method, read, problems).read(),
            method.getEnclosingElement().getSimpleName().toString(),
            older(same, read)));
  }

  /** A local function is written by hand unless all it does is to count an owner. */
  private static String byHand(Local local, Custom custom, List<Parameter> parameters) {
    boolean counts =
        parameters.stream().anyMatch(p -> p instanceof Parameter.Value v && v.handle().retains());
    if (local != null) {
      return counts ? "" : NO_CALL;
    }
    return custom != null && custom.frontend() ? custom.value() : "";
  }

  private void checkFound(ExecutableElement method, Custom custom) {
    boolean byHand = custom != null && custom.frontend();
    for (VariableElement parameter : method.getParameters()) {
      Found found = parameter.getAnnotation(Found.class);
      boolean said = found != null && !(found.pairs() + found.values()).isEmpty();
      if (found != null && !said && !byHand) {
        problems.error(method, "%s: @Found is for what is @Custom", method.getSimpleName());
      }
      if (found != null && !found.pairs().isEmpty()) {
        checkPairs(method, parameter, found.pairs());
      }
      if (found != null && !found.values().isEmpty()) {
        checkValues(method, parameter, found.values());
      }
    }
  }

  private void checkPairs(ExecutableElement method, VariableElement parameter, String list) {
    boolean there =
        method.getParameters().stream()
            .filter(p -> p.getSimpleName().contentEquals(list))
            .anyMatch(p -> p.getAnnotation(In.class) != null);
    if (!there || parameter.asType().getKind() != TypeKind.INT) {
      problems.error(parameter, "\"%s\" is no list whose length is an int", list);
    }
  }

  private void checkValues(ExecutableElement method, VariableElement parameter, String name) {
    boolean there =
        method.getParameters().stream()
            .filter(p -> p.getSimpleName().contentEquals(name))
            .anyMatch(p -> p.asType().getKind() == TypeKind.INT);
    if (!there || parameter.asType().getKind() != TypeKind.INT) {
      problems.error(parameter, "\"%s\" is no int that says how many values there are", name);
    }
  }

  private static Optional<Older> older(Same same, List<Parameter> parameters) {
    if (same == null) {
      return Optional.empty();
    }
    List<String> own = parameters.stream().map(Parameter::name).toList();
    List<String> with = List.of(same.with());
    return Optional.of(new Older(same.as(), with.isEmpty() ? own : with, same.undo()));
  }

  private static String prototype(Local local, Same same, Custom custom) {
    if (local != null) {
      return local.prototype();
    }
    if (same != null) {
      return same.prototype();
    }
    return custom == null ? "" : custom.prototype();
  }

  private List<Integer> writtenOn(ExecutableElement method) {
    WrittenOn results = method.getAnnotation(WrittenOn.class);
    if (results == null) {
      return List.of();
    }
    if (method.getAnnotation(Async.class) != null || method.getAnnotation(Cached.class) != null) {
      problems.error(
          method, "%s: @WrittenOn is for calls that are answered", method.getSimpleName());
    }
    return Arrays.stream(results.value()).boxed().toList();
  }

  private Answering answering(ExecutableElement method) {
    List<Answering> said = new ArrayList<>();
    if (method.getAnnotation(Async.class) != null) {
      said.add(Answering.ASYNC);
    }
    if (method.getAnnotation(Blocking.class) != null) {
      said.add(Answering.BLOCKING);
    }
    Cached cached = method.getAnnotation(Cached.class);
    if (cached != null && cached.until().isEmpty()) {
      said.add(Answering.CACHED);
    }
    if (method.getAnnotation(Local.class) != null) {
      said.add(Answering.LOCAL);
    }
    if (method.getAnnotation(Same.class) != null) {
      said.add(Answering.SAME);
    }
    if (method.getAnnotation(Refused.class) != null) {
      said.add(Answering.REFUSED);
    }
    if (said.size() > 1) {
      problems.error(
          method,
          "%s: at most one of @Async, @Blocking, @Cached and @Local",
          method.getSimpleName());
    }
    return said.isEmpty() ? Answering.PLAIN : said.getFirst();
  }
}
