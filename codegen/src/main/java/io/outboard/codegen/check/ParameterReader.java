// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Direction;
import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Target;
import io.outboard.spec.CString;
import io.outboard.spec.Callback;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Found;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.Offset;
import io.outboard.spec.Ordinal;
import io.outboard.spec.Out;
import io.outboard.spec.Returned;
import io.outboard.spec.Scalar;
import io.outboard.spec.Within;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;

/** Reads the parameters of one method. */
final class ParameterReader {
  private final HandleReader handles;
  private final StructureReader structures;
  private final Problems problems;

  ParameterReader(HandleReader handles, StructureReader structures, Problems problems) {
    this.handles = handles;
    this.structures = structures;
    this.problems = problems;
  }

  /** Reads them all. */
  List<Parameter> read(ExecutableElement method) {
    List<String> userData =
        method.getParameters().stream()
            .map(p -> p.getAnnotation(Callback.class))
            .filter(c -> c != null)
            .map(Callback::userData)
            .toList();
    List<Parameter> parameters = new ArrayList<>();
    int bit = 0;
    for (VariableElement element : method.getParameters()) {
      Parameter parameter = new One(method, element).read(userData, bit);
      if (parameter instanceof Parameter.Pointer) {
        bit++;
      }
      parameters.add(parameter);
    }
    if (bit > 64) {
      problems.error(method, "more than 64 pointers");
    }
    return List.copyOf(parameters);
  }

  /** The common part of the three directions. */
  private record Data(
      Direction direction,
      Scalar scalar,
      Optional<TypeElement> struct,
      String count,
      String bytes,
      String advancing,
      boolean byValue,
      boolean optional) {}

  /** One parameter being read. */
  private final class One {
    private final ExecutableElement method;
    private final VariableElement element;
    private final String name;

    One(ExecutableElement method, VariableElement element) {
      this.method = method;
      this.element = element;
      this.name = element.getSimpleName().toString();
    }

    Parameter read(List<String> userData, int bit) {
      checkName();
      Scalar type = type();
      Optional<Data> data = data();
      Callback callback = element.getAnnotation(Callback.class);
      if ((data.isPresent() || callback != null || userData.contains(name))
          && type != Scalar.LONG) {
        problems.error(element, "%s: an address is a long", name);
      }
      if (callback != null) {
        return new Parameter.Callback(
            name, callback.userData(), callback.repeated(), callback.position());
      }
      if (userData.contains(name)) {
        return new Parameter.UserData(name);
      }
      return data.<Parameter>map(d -> pointer(d, bit)).orElseGet(() -> value(type));
    }

    private Scalar type() {
      Scalar type = Annotations.scalar(element.asType());
      if (type == Scalar.NONE) {
        problems.error(element, "%s: a parameter is byte, short, int, long, float or double", name);
        return Scalar.LONG;
      }
      return type;
    }

    private Parameter value(Scalar type) {
      HandleUse handle = handles.read(element);
      boolean address = element.getAnnotation(DevicePointer.class) != null;
      if ((handle.present() || address) && type != Scalar.LONG) {
        problems.error(element, "%s: handles and device pointers are long", name);
      }
      Found found = element.getAnnotation(Found.class);
      String pairs = found == null ? "" : found.pairs();
      String values = found == null ? "" : found.values();
      Offset offset = element.getAnnotation(Offset.class);
      if (offset != null && type != Scalar.LONG) {
        problems.error(element, "%s: an offset is a long", name);
      }
      return new Parameter.Value(
          name,
          type,
          address,
          handle,
          found != null,
          pairs,
          values,
          offset == null ? 0 : offset.value(),
          ordinal(type));
    }

    private boolean ordinal(Scalar type) {
      Ordinal ordinal = element.getAnnotation(Ordinal.class);
      if (ordinal != null && (type != Scalar.INT || !ordinal.tag().isEmpty())) {
        problems.error(element, "%s: the number of a device is an int without a tag", name);
      }
      return ordinal != null;
    }

    private Optional<Data> data() {
      List<Data> found = new ArrayList<>();
      In in = element.getAnnotation(In.class);
      if (in != null) {
        Optional<TypeElement> struct = Annotations.type(in::struct);
        found.add(
            new Data(
                Direction.IN,
                in.value(),
                struct,
                in.count(),
                in.bytes(),
                in.advancing(),
                in.byValue(),
                in.optional()));
      }
      Out out = element.getAnnotation(Out.class);
      if (out != null) {
        Optional<TypeElement> struct = Annotations.type(out::struct);
        found.add(
            new Data(
                Direction.OUT,
                out.value(),
                struct,
                out.count(),
                out.bytes(),
                out.advancing(),
                false,
                out.optional()));
      }
      InOut both = element.getAnnotation(InOut.class);
      if (both != null) {
        Optional<TypeElement> struct = Annotations.type(both::struct);
        found.add(
            new Data(
                Direction.INOUT,
                both.value(),
                struct,
                both.count(),
                both.bytes(),
                "",
                false,
                false));
      }
      if (found.isEmpty() && element.getAnnotation(CString.class) != null) {
        found.add(new Data(Direction.IN, Scalar.NONE, Optional.empty(), "", "", "", false, false));
      }
      if (found.size() > 1) {
        problems.error(element, "%s: more than one of @In, @Out and @InOut", name);
      }
      return found.stream().findFirst();
    }

    private Parameter pointer(Data data, int bit) {
      HandleUse handle = handles.read(element);
      boolean address = element.getAnnotation(DevicePointer.class) != null;
      Target target = target(data);
      Optional<Expression> count = count(data, target);
      List<String> advancing =
          Arrays.stream(data.advancing().split(","))
              .map(String::strip)
              .filter(s -> !s.isEmpty())
              .toList();
      if ((handle.present() || address) && !target.equals(new Target.Scalars(Scalar.LONG))) {
        problems.error(element, "%s: a pointer to handles or device pointers points to LONG", name);
      }
      if (data.byValue() && (!(target instanceof Target.Structures) || count.isPresent())) {
        problems.error(element, "%s: byValue is for a single structure", name);
      }
      return new Parameter.Pointer(
          name,
          bit,
          data.direction(),
          target,
          count,
          handle,
          address,
          advancing,
          data.byValue(),
          element.getAnnotation(Returned.class) != null,
          element.getAnnotation(Ordinal.class) != null && ordinal(data.scalar()),
          element.getAnnotation(Within.class) == null
              ? ""
              : element.getAnnotation(Within.class).value(),
          data.optional());
    }

    private Target target(Data data) {
      boolean text = element.getAnnotation(CString.class) != null;
      int said =
          (text ? 1 : 0)
              + (data.scalar() != Scalar.NONE ? 1 : 0)
              + (data.struct().isPresent() ? 1 : 0)
              + (!text && !data.bytes().isEmpty() ? 1 : 0);
      if (said != 1) {
        problems.error(
            element,
            "%s: exactly one of value, bytes, struct and @CString says what lies there",
            name);
      }
      if (text) {
        if (data.direction() == Direction.INOUT) {
          problems.error(element, "%s: a text is read or written, not both", name);
        }
        return new Target.Text();
      }
      return data.struct()
          .flatMap(type -> structures.read(type, element))
          .<Target>map(Target.Structures::new)
          .orElseGet(
              () ->
                  data.scalar() == Scalar.NONE
                      ? new Target.Bytes()
                      : new Target.Scalars(data.scalar()));
    }

    private Optional<Expression> count(Data data, Target target) {
      if (!data.count().isEmpty() && !data.bytes().isEmpty()) {
        problems.error(element, "%s: count or bytes, not both", name);
      }
      String text = data.bytes().isEmpty() ? data.count() : data.bytes();
      if (target instanceof Target.Text) {
        if (data.direction() == Direction.IN) {
          if (!text.isEmpty()) {
            problems.error(element, "%s: a text that is read ends by itself", name);
          }
          return Optional.empty();
        }
        text = text.isEmpty() ? following() : text;
      }
      try {
        return text.isEmpty() ? Optional.empty() : Optional.of(ExpressionParser.parse(text));
      } catch (IllegalArgumentException e) {
        problems.error(element, "%s: %s", name, e.getMessage());
        return Optional.of(new Expression.Constant(1));
      }
    }

    /** The parameter after this one, which is the room of a text that is written. */
    private String following() {
      int next = method.getParameters().indexOf(element) + 1;
      if (next < method.getParameters().size()) {
        return method.getParameters().get(next).getSimpleName().toString();
      }
      problems.error(element, "%s: a text that is written needs bytes", name);
      return "1";
    }

    private void checkName() {
      if (name.endsWith("_")) {
        problems.error(element, "%s: names that end in _ are the generator's", name);
      }
      if (CKeywords.contains(name)) {
        problems.error(element, "%s is a keyword of C", name);
      }
    }
  }
}
