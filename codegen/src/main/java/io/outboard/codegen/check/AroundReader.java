// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Around;
import io.outboard.codegen.model.Bytes;
import io.outboard.codegen.model.Direction;
import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Narrowed;
import io.outboard.codegen.model.Objects;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Reserved;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Alike;
import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Cached;
import io.outboard.spec.Complete;
import io.outboard.spec.Copy;
import io.outboard.spec.Fill;
import io.outboard.spec.Found;
import io.outboard.spec.Invalidates;
import io.outboard.spec.Known;
import io.outboard.spec.Learns;
import io.outboard.spec.Marks;
import io.outboard.spec.Narrow;
import io.outboard.spec.Need;
import io.outboard.spec.NotesLane;
import io.outboard.spec.OrderedBy;
import io.outboard.spec.Own;
import io.outboard.spec.Query;
import io.outboard.spec.Range;
import io.outboard.spec.Ready;
import io.outboard.spec.Scalar;
import io.outboard.spec.Touches;
import java.lang.annotation.Annotation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;

/** Reads what a generated symbol does around the call that travels. */
final class AroundReader {
  private final ExecutableElement method;
  private final List<Parameter> parameters;
  private final Problems problems;

  AroundReader(ExecutableElement method, List<Parameter> parameters, Problems problems) {
    this.method = method;
    this.parameters = parameters;
    this.problems = problems;
  }

  Around read() {
    return new Around(
        ready(),
        named(OrderedBy.class, AroundReader::isHandle),
        named(NotesLane.class, p -> isMade(p) || isHandle(p)),
        named(Touches.class, AroundReader::isObject),
        reserved(),
        released(),
        bytes(),
        until(),
        changes(),
        narrowed(),
        objects());
  }

  private Optional<Need> ready() {
    Ready ready = method.getAnnotation(Ready.class);
    boolean translates = parameters.stream().anyMatch(Parameter::hasOrdinals);
    return Optional.ofNullable(ready)
        .map(Ready::value)
        .or(() -> translates ? Optional.of(Need.INITIALIZED) : Optional.empty());
  }

  private static boolean isHandle(Parameter parameter) {
    return parameter instanceof Parameter.Value value && value.handle().present();
  }

  /** What a call can touch, or what names it. */
  private static boolean isObject(Parameter parameter) {
    return switch (parameter) {
      case Parameter.Value value -> value.handle().present() || value.address();
      case Parameter.Pointer pointer ->
          pointer.target() instanceof Target.Structures && pointer.direction() == Direction.IN;
      default -> false;
    };
  }

  private static boolean isMade(Parameter parameter) {
    return parameter instanceof Parameter.Pointer pointer && pointer.handle().creates();
  }

  private Optional<Reserved> reserved() {
    return ranges(Range.Use.RESERVE).map(this::reserved);
  }

  private Reserved reserved(Parameter parameter) {
    Range range = element(parameter).getAnnotation(Range.class);
    boolean fits =
        parameter instanceof Parameter.Pointer pointer
            && pointer.address()
            && pointer.single()
            && pointer.direction() == Direction.OUT;
    if (!fits || range.undo().isEmpty()) {
      problems.error(
          element(parameter),
          "%s: RESERVE is for a device address that comes out, and names the call that undoes it",
          parameter.name());
    }
    return new Reserved(parameter.name(), length(parameter, range), range.undo(), range.in());
  }

  private Optional<Expression> length(Parameter parameter, Range range) {
    try {
      Optional<Expression> length =
          range.bytes().isEmpty()
              ? Optional.empty()
              : Optional.of(ExpressionParser.parse(range.bytes()));
      length.stream()
          .flatMap(Expression::names)
          .filter(name -> parameters.stream().noneMatch(p -> p.name().equals(name)))
          .forEach(name -> problems.error(element(parameter), "unknown parameter \"%s\"", name));
      return length;
    } catch (IllegalArgumentException e) {
      problems.error(element(parameter), "%s: %s", parameter.name(), e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<String> released() {
    return ranges(Range.Use.RELEASE)
        .map(
            parameter -> {
              if (!(parameter instanceof Parameter.Value value && value.address())) {
                problems.error(
                    element(parameter),
                    "%s: RELEASE is for a device address itself",
                    parameter.name());
              }
              return parameter.name();
            });
  }

  private Optional<Parameter> ranges(Range.Use use) {
    return parameters.stream()
        .filter(parameter -> element(parameter).getAnnotation(Range.class) != null)
        .filter(parameter -> element(parameter).getAnnotation(Range.class).value() == use)
        .findFirst();
  }

  private Bytes bytes() {
    if (method.getAnnotation(Copy.class) != null) {
      return shaped(Bytes.COPY, parameters.stream().filter(AroundReader::isData).count() == 1, 1);
    }
    return method.getAnnotation(Fill.class) != null
        ? shaped(Bytes.FILL, parameters.stream().allMatch(Parameter.Value.class::isInstance), 2)
        : Bytes.NONE;
  }

  /** Bytes, an address, so many numbers, and perhaps a stream. */
  private Bytes shaped(Bytes way, boolean data, int numbers) {
    long addresses = values().filter(Parameter.Value::address).count();
    long handles = values().filter(value -> value.handle().present()).count();
    if (!data || addresses != 1 || handles > 1 || values().count() != 1 + numbers + handles) {
      problems.error(
          method,
          "%s: a %s has an address, %s, and at most a stream",
          method.getSimpleName(),
          way == Bytes.COPY ? "copy" : "fill",
          way == Bytes.COPY ? "bytes and how many there are" : "a value and how many there are");
    }
    return way;
  }

  private Stream<Parameter.Value> values() {
    return parameters.stream()
        .filter(Parameter.Value.class::isInstance)
        .map(Parameter.Value.class::cast);
  }

  private static boolean isData(Parameter parameter) {
    return parameter instanceof Parameter.Pointer pointer
        && pointer.target() instanceof Target.Bytes
        && pointer.count().isPresent();
  }

  private Optional<String> until() {
    Cached cached = method.getAnnotation(Cached.class);
    if (cached == null || cached.until().isEmpty()) {
      return Optional.empty();
    }
    List<Parameter> outputs =
        parameters.stream().filter(p -> !(p instanceof Parameter.Value)).toList();
    long numbers = values().filter(v -> !v.handle().present() && !v.ordinal()).count();
    boolean answered =
        method.getAnnotation(Async.class) == null && method.getAnnotation(Blocking.class) == null;
    if (outputs.size() != 1 || !isNumber(outputs.getFirst()) || numbers > 3 || !answered) {
      problems.error(
          method,
          "%s: an answer that is kept until a change is one int or long, to at most 3 numbers",
          method.getSimpleName());
    }
    return topic(cached.until());
  }

  private Optional<String> changes() {
    Invalidates invalidates = method.getAnnotation(Invalidates.class);
    return invalidates == null ? Optional.empty() : topic(invalidates.value());
  }

  private Optional<String> topic(String topic) {
    if (!topic.matches("[a-z]+")) {
      problems.error(
          method, "%s: a topic is a word in lower case, not \"%s\"", method.getSimpleName(), topic);
    }
    return Optional.of(topic);
  }

  private static boolean isNumber(Parameter parameter) {
    return parameter instanceof Parameter.Pointer pointer
        && pointer.direction() == Direction.OUT
        && pointer.single()
        && !pointer.handle().present()
        && (pointer.target().equals(new Target.Scalars(Scalar.INT))
            || pointer.target().equals(new Target.Scalars(Scalar.LONG)));
  }

  private Optional<Narrowed> narrowed() {
    return parameters.stream()
        .filter(parameter -> element(parameter).getAnnotation(Narrow.class) != null)
        .map(this::narrowed)
        .findFirst();
  }

  private Narrowed narrowed(Parameter parameter) {
    Narrow narrow = element(parameter).getAnnotation(Narrow.class);
    boolean wide =
        parameter instanceof Parameter.Pointer pointer
            && pointer.single()
            && pointer.target().equals(new Target.Scalars(Scalar.LONG))
            && !pointer.handle().present();
    if (!wide || values().noneMatch(value -> value.name().equals(narrow.by()))) {
      problems.error(
          element(parameter),
          "%s: a @Narrow number is one long, and another number says what it is",
          parameter.name());
    }
    return new Narrowed(parameter.name(), narrow.by(), narrow.upTo());
  }

  private Objects objects() {
    Map<String, Integer> known = new LinkedHashMap<>();
    for (Parameter parameter : parameters) {
      Known answer = element(parameter).getAnnotation(Known.class);
      if (answer != null) {
        known.put(parameter.name(), answer.value());
      }
    }
    checkFirst();
    if (!known.isEmpty() && parameters.stream().noneMatch(AroundReader::isMade)) {
      problems.error(method, "%s: @Known is for calls that make something", method.getSimpleName());
    }
    return new Objects(
        named(Own.class, AroundReader::isHandle),
        Collections.unmodifiableMap(known),
        once(),
        Optional.ofNullable(method.getAnnotation(Query.class)).map(this::query),
        named(Complete.class, AroundReader::isHandle),
        method.getAnnotation(Learns.class) != null,
        mark(),
        method.getAnnotation(Alike.class) != null);
  }

  private OptionalInt mark() {
    Marks marks = method.getAnnotation(Marks.class);
    return marks == null ? OptionalInt.empty() : OptionalInt.of(marks.value());
  }

  /** Annotations about the first object need one; @Alike needs one that is made, too. */
  private void checkFirst() {
    boolean alike = method.getAnnotation(Alike.class) != null;
    boolean first =
        alike
            || method.getAnnotation(Learns.class) != null
            || method.getAnnotation(Marks.class) != null;
    boolean fits =
        values().anyMatch(value -> value.handle().present())
            && (!alike || parameters.stream().anyMatch(AroundReader::isMade));
    if (first && !fits) {
      problems.error(
          method,
          "%s: @Learns, @Marks and @Alike are about an object that is given",
          method.getSimpleName());
    }
  }

  private List<String> once() {
    return method.getParameters().stream()
        .map(parameter -> parameter.getAnnotation(Found.class))
        .filter(found -> found != null && found.once())
        .map(Found::pairs)
        .toList();
  }

  /** A question: object, name, size, value, and the size of the answer. */
  private Query query(Query query) {
    boolean fits =
        parameters.size() == 5
            && isHandle(parameters.getFirst())
            && values().count() == 3
            && isData(parameters.get(3))
            && isNumber(parameters.get(4))
            && query.own().length <= 2;
    if (!fits) {
      problems.error(
          method,
          "%s: a @Query is given an object, a name, a size, and places for an answer and its size",
          method.getSimpleName());
    }
    return query;
  }

  /** The parameters that an annotation names. */
  private List<String> named(Class<? extends Annotation> annotation, Predicate<Parameter> fits) {
    return parameters.stream()
        .filter(parameter -> element(parameter).getAnnotation(annotation) != null)
        .peek(parameter -> check(annotation, parameter, fits))
        .map(Parameter::name)
        .toList();
  }

  private void check(
      Class<? extends Annotation> annotation, Parameter parameter, Predicate<Parameter> fits) {
    if (!fits.test(parameter)) {
      problems.error(
          element(parameter),
          "%s: @%s is for %s",
          parameter.name(),
          annotation.getSimpleName(),
          annotation == NotesLane.class
              ? "a handle"
              : annotation == Touches.class
                  ? "a handle, an address or a structure that is given"
                  : "a handle that is given");
    }
  }

  private VariableElement element(Parameter parameter) {
    return method.getParameters().get(parameters.indexOf(parameter));
  }
}
