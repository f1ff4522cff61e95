// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Direction;
import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Layout;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;
import io.outboard.spec.Settles;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;

/** Checks one function that has been read. */
final class FunctionChecks {
  /** {@code Limits.CHUNK}: the most that a fixed part may be. */
  private static final int LARGEST = 1 << 20;

  /** {@code Callbacks.POSITIONS}: where the user data of a function of the program can be. */
  private static final int POSITIONS = 4;

  private final Function function;
  private final ExecutableElement method;
  private final boolean keepsResults;
  private final Problems problems;

  /** {@code keepsResults} is whether the C functions of the library have no results. */
  FunctionChecks(
      Function function, ExecutableElement method, boolean keepsResults, Problems problems) {
    this.function = function;
    this.method = method;
    this.keepsResults = keepsResults;
    this.problems = problems;
  }

  void check() {
    for (int i = 0; i < function.parameters().size(); i++) {
      Element element = method.getParameters().get(i);
      switch (function.parameters().get(i)) {
        case Value value -> checkValue(value, element);
        case Pointer pointer -> checkPointer(pointer, element);
        case Parameter.Callback callback -> checkCallback(callback, element);
        case Parameter.UserData _ -> {}
      }
    }
    checkAnswering();
    checkAdvancing();
    checkSize("request", Layout.request(function));
    checkSize("reply", Layout.reply(function));
  }

  private void checkValue(Value value, Element element) {
    if (value.handle().creates()) {
      problems.error(element, "%s: a handle that is made comes out through @Out", value.name());
    }
    if (!value.handle().parent().isEmpty() && !value.handle().gives()) {
      problems.error(element, "%s: only a handle that comes out has a parent", value.name());
    }
    if (value.handle().gives() && !isHandle(value.handle().parent())) {
      problems.error(
          element,
          "%s: parent \"%s\" is not a handle of this call",
          value.name(),
          value.handle().parent());
    }
  }

  private void checkPointer(Pointer pointer, Element element) {
    pointer.count().ifPresent(count -> checkNames(count, element));
    if (pointer.handle().destroys() || pointer.handle().gives()) {
      problems.error(
          element, "%s: %s is for a handle itself", pointer.name(), pointer.handle().life());
    }
    if (pointer.handle().creates() && !(pointer.direction() == Direction.OUT && pointer.single())) {
      problems.error(element, "%s: CREATE is for a single @Out handle", pointer.name());
    }
    if (pointer.hasOrdinals() && !pointer.single() && pointer.direction() != Direction.IN) {
      problems.error(element, "%s: an array with numbers of devices is read only", pointer.name());
    }
    checkReturned(pointer, element);
    checkParent(pointer, element);
    checkWithin(pointer, element);
    pointer.structure().ifPresent(structure -> checkStructure(pointer, structure, element));
  }

  private void checkWithin(Pointer pointer, Element element) {
    boolean counts = pointer.within().isEmpty() || function.counted(pointer).isPresent();
    if (!counts) {
      problems.error(
          element,
          "%s: @Within is for a single number, which counts an output with a length",
          pointer.name());
    }
  }

  private void checkReturned(Pointer pointer, Element element) {
    boolean fits =
        pointer.direction() == Direction.OUT
            && pointer.single()
            && mayBeReturned(pointer.target())
            && function.parameters().getLast() == pointer;
    if (pointer.returned() && !fits) {
      problems.error(
          element, "%s: @Returned is for the last parameter, an @Out(LONG)", pointer.name());
    }
  }

  private boolean mayBeReturned(Target target) {
    return keepsResults
        ? target instanceof Target.Scalars
        : target.equals(new Target.Scalars(Scalar.LONG));
  }

  private void checkParent(Pointer pointer, Element element) {
    String parent = pointer.handle().parent();
    if (parent.isEmpty()) {
      return;
    }
    boolean handle =
        function
            .parameter(parent)
            .filter(p -> p instanceof Value value && value.handle().present())
            .isPresent();
    if (!handle || !pointer.direction().writes()) {
      problems.error(
          element, "%s: parent \"%s\" is not a handle of this call", pointer.name(), parent);
    }
  }

  /** Whether a parameter is a handle, or where a new one goes. */
  private boolean isHandle(String name) {
    return function
        .parameter(name)
        .filter(
            p ->
                (p instanceof Value value && value.handle().present())
                    || (p instanceof Pointer pointer && pointer.handle().creates()))
        .isPresent();
  }

  private void checkStructure(Pointer pointer, Structure structure, Element element) {
    if (pointer.direction().writes() && structure.hasPointers()) {
      problems.error(element, "%s: a structure with pointers can only be read", pointer.name());
    }
    boolean readWhole = pointer.single() && pointer.direction().reads() && !pointer.byValue();
    if (structure.sized() && !readWhole) {
      problems.error(element, "%s: a sized structure is a single one that is read", pointer.name());
    }
    if (!pointer.single() && structure.wireBytes() != structure.bytes()) {
      problems.error(element, "%s: an array of structures has no wireSize", pointer.name());
    }
  }

  private void checkCallback(Parameter.Callback callback, Element element) {
    if (function.parameter(callback.userData()).isEmpty()) {
      problems.error(element, "unknown parameter \"%s\"", callback.userData());
    }
    if (callback.position() < 0 || callback.position() >= POSITIONS) {
      problems.error(
          element,
          "%s: the user data is one of the first %d arguments",
          callback.name(),
          POSITIONS);
    }
  }

  private void checkNames(Expression expression, Element element) {
    expression
        .names()
        .filter(name -> !isInteger(name))
        .forEach(
            name ->
                problems.error(
                    element, "\"%s\" is not an integer parameter, nor points to one", name));
  }

  private boolean isInteger(String name) {
    return function
        .parameter(name)
        .filter(
            p ->
                switch (p) {
                  case Value value -> isInteger(value.type()) && !value.handle().present();
                  case Pointer pointer ->
                      pointer.inFixedRequest()
                          && pointer.target() instanceof Target.Scalars(Scalar type)
                          && isInteger(type);
                  case Parameter.Callback _, Parameter.UserData _ -> false;
                })
        .isPresent();
  }

  private static boolean isInteger(Scalar type) {
    return type == Scalar.INT || type == Scalar.LONG;
  }

  private void checkAnswering() {
    boolean outputs =
        function.pointers().stream().anyMatch(p -> p.direction().writes() && !p.handle().creates());
    if (function.answering() == Answering.ASYNC && outputs) {
      problems.error(
          method, "%s: an @Async call has no outputs but handles that it makes", function.name());
    }
    boolean changes =
        function.parameters().stream()
            .anyMatch(
                p ->
                    (p instanceof Pointer pointer && pointer.handle().creates())
                        || (p instanceof Value value && value.handle().destroys()));
    if (function.answering() == Answering.CACHED && changes) {
      problems.error(method, "%s: a @Cached call makes and ends nothing", function.name());
    }
    boolean answered =
        function.answering() == Answering.PLAIN || function.answering() == Answering.BLOCKING;
    boolean small = !function.hasOutcome() && Layout.request(function).bytes() <= Settles.LIMIT;
    if (function.settles() && !(answered && small)) {
      problems.error(
          method,
          "%s: a @Settles call is answered, has no outputs and at most %d bytes of parameters",
          function.name(),
          Settles.LIMIT);
    }
    if (function.deviceWork() && !(answered || function.answering() == Answering.ASYNC)) {
      problems.error(method, "%s: a @DeviceWork call travels each time", function.name());
    }
    checkQueue();
  }

  private void checkQueue() {
    String queue = function.workIn();
    boolean handle =
        function
            .parameter(queue)
            .filter(p -> p instanceof Value value && value.handle().present())
            .isPresent();
    if (!queue.isEmpty() && !(handle && function.metered())) {
      problems.error(
          method, "%s: in = \"%s\" is not a handle of a COMPUTE call", function.name(), queue);
    }
  }

  private void checkAdvancing() {
    long several = function.pointers().stream().filter(p -> !p.advancing().isEmpty()).count();
    if (several > 1) {
      problems.error(method, "%s: one pointer of a call can be advancing", function.name());
    }
    function.advancing().ifPresent(this::checkAdvancing);
  }

  private void checkAdvancing(Pointer pointer) {
    Element element = method.getParameters().get(function.parameters().indexOf(pointer));
    boolean plainLength =
        pointer.target() instanceof Target.Bytes
            && pointer.count().orElseThrow() instanceof Expression.Name(String length)
            && isValue(length);
    if (!plainLength) {
      problems.error(
          element, "%s: what advances is @In or @Out bytes of one long parameter", pointer.name());
    }
    pointer.advancing().stream()
        .filter(name -> !isValue(name))
        .forEach(name -> problems.error(element, "unknown advancing parameter \"%s\"", name));
  }

  private boolean isValue(String name) {
    return function
        .parameter(name)
        .filter(
            p ->
                p instanceof Value value
                    && value.type() == Scalar.LONG
                    && !value.handle().present())
        .isPresent();
  }

  private void checkSize(String which, Layout layout) {
    if (layout.bytes() > LARGEST) {
      problems.error(
          method,
          "%s: the fixed part of the %s is %d bytes, more than %d",
          function.name(),
          which,
          layout.bytes(),
          LARGEST);
    }
  }
}
