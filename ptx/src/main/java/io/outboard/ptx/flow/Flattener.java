// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import io.outboard.ptx.emit.SystemEmitter;
import io.outboard.ptx.emit.Unsupported;
import io.outboard.ptx.model.CallOperands;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Program;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.model.Variable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Puts the bodies of called functions in the place of the calls, and turns predicates on waiting
 * instructions into branches, so that a kernel is one list of instructions without calls.
 */
public final class Flattener {
  /** So many instructions take minutes to compile. */
  private static final int MOST = 200_000;

  private final Program program;
  private final FunctionPointers pointers;
  private final Function flat;
  private final Deque<String> callers = new ArrayDeque<>();
  private int serial;

  private Flattener(Program program, Function kernel) {
    this.program = program;
    this.pointers = new FunctionPointers(program);
    this.flat = new Function(kernel.name(), true);
  }

  /** The body of {@code kernel} without calls. */
  public static Function flatten(Program program, Function kernel) {
    Flattener flattener = new Flattener(program, kernel);
    flattener.append(kernel, new Frame(new HashMap<>(), "", null));
    flattener.flat.body().add(synthetic("ret", List.of()));
    return flattener.flat;
  }

  /** How one copy of a function differs: its parameters, its labels, and where it returns to. */
  private record Frame(Map<Variable, Operand.Symbol> variables, String prefix, String end) {}

  private static Instruction synthetic(String root, List<Operand> operands) {
    return new Instruction(0, 0, null, false, List.of(root), operands);
  }

  private void append(Function function, Frame frame) {
    if (callers.contains(function.name())) {
      throw new Unsupported("recursion of " + function.name());
    }
    callers.push(function.name());
    Map<Integer, List<String>> labels = new HashMap<>();
    function
        .labels()
        .forEach((label, at) -> labels.computeIfAbsent(at, _ -> new ArrayList<>()).add(label));
    tables(function, frame);
    for (int i = 0; i <= function.body().size(); i++) {
      for (String label : labels.getOrDefault(i, List.of())) {
        flat.labels().put(frame.prefix + label, flat.body().size());
      }
      if (i < function.body().size()) {
        append(pointers.resolved(renamed(function, function.body().get(i), frame)), frame);
      }
    }
    callers.pop();
  }

  private void tables(Function function, Frame frame) {
    function
        .branchTables()
        .forEach(
            (label, targets) -> {
              List<String> renamed = new ArrayList<>();
              targets.forEach(target -> renamed.add(frame.prefix + target));
              flat.branchTables().put(frame.prefix + label, renamed);
            });
  }

  private Instruction renamed(Function function, Instruction i, Frame frame) {
    if (frame.end == null) {
      return i;
    }
    List<Operand> operands = new ArrayList<>(i.count());
    for (Operand operand : i.operands()) {
      operands.add(renamed(function, operand, frame));
    }
    return new Instruction(i.line(), i.column(), i.guard(), i.negated(), i.parts(), operands);
  }

  private Operand renamed(Function function, Operand operand, Frame frame) {
    return switch (operand) {
      case Operand.Symbol symbol -> renamed(symbol, frame);
      case Operand.Address address ->
          new Operand.Address(renamed(function, address.base(), frame), address.offset());
      case Operand.Group group -> {
        List<Operand> elements = new ArrayList<>();
        group.elements().forEach(e -> elements.add(renamed(function, e, frame)));
        yield new Operand.Group(elements);
      }
      case Operand.Name name when local(function, name.name()) ->
          new Operand.Name(frame.prefix + name.name());
      default -> operand;
    };
  }

  private static boolean local(Function function, String name) {
    return function.labels().containsKey(name) || function.branchTables().containsKey(name);
  }

  private static Operand.Symbol renamed(Operand.Symbol symbol, Frame frame) {
    Operand.Symbol actual = frame.variables.get(symbol.variable());
    return actual == null
        ? symbol
        : new Operand.Symbol(actual.variable(), actual.offset() + symbol.offset());
  }

  private void append(Instruction i, Frame frame) {
    boolean inline = i.root().equals("call") && !SystemEmitter.provides(i);
    if (i.guard() != null && (inline || CutPlan.waits(i))) {
      branchAround(i, frame);
    } else if (inline) {
      inline(i);
    } else if (i.root().equals("ret") && frame.end != null) {
      flat.body().add(jump(i, frame.end, i.negated()));
    } else {
      flat.body().add(i);
    }
  }

  private static Instruction jump(Instruction i, String label, boolean negated) {
    List<Operand> target = List.of(new Operand.Name(label));
    return new Instruction(i.line(), i.column(), i.guard(), negated, List.of("bra"), target);
  }

  private void inline(Instruction i) {
    try {
      call(CallOperands.of(i));
      limit();
    } catch (Unsupported e) {
      throw e.at(i);
    }
  }

  private void branchAround(Instruction i, Frame frame) {
    String skip = "skip " + serial++;
    flat.body().add(jump(i, skip, !i.negated()));
    append(i.unguarded(), frame);
    flat.labels().put(skip, flat.body().size());
  }

  private void limit() {
    if (flat.body().size() > MOST) {
      throw new Unsupported("more than " + MOST + " instructions, with those of called functions");
    }
  }

  /** The function that {@code call} names. */
  public static Function target(Program program, CallOperands call) {
    if (!(call.callee() instanceof Operand.Name name)) {
      throw new Unsupported("call of " + call.callee());
    }
    Function function = program.functions().get(name.name());
    if (function == null || !function.defined() || function.entry()) {
      throw new Unsupported("call of undefined function " + name.name());
    }
    return function;
  }

  private void call(CallOperands call) {
    if (call.callee() instanceof Register pointer) {
      callThrough(pointer, call);
    } else {
      call(call, target(program, call));
    }
  }

  /**
   * Compares the pointer with each function that it may mean; another value is a trap, and so is a
   * function that would call itself.
   */
  private void callThrough(Register pointer, CallOperands call) {
    String end = "called " + serial++;
    for (Function function : pointers.targets(call)) {
      if (!callers.contains(function.name())) {
        String other = "other " + serial++;
        unless(pointer, function, other);
        call(call, function);
        flat.body().add(synthetic("bra", List.of(new Operand.Name(end))));
        flat.labels().put(other, flat.body().size());
      }
    }
    flat.body().add(synthetic("trap", List.of()));
    flat.labels().put(end, flat.body().size());
  }

  private void unless(Register pointer, Function function, String label) {
    Register differs = new Register("%differs", Type.PRED);
    List<Operand> compared = List.of(differs, pointer, pointers.address(function.name()));
    List<String> parts = List.of("setp", "ne", "b64");
    flat.body().add(new Instruction(0, 0, null, false, parts, compared));
    Instruction jump = synthetic("bra", List.of(new Operand.Name(label)));
    flat.body().add(jump.guarded(differs));
  }

  private void call(CallOperands call, Function function) {
    List<Operand> results = call.results();
    List<Operand> arguments = call.arguments();
    if (results.size() != function.results().size()
        || arguments.size() != function.parameters().size()) {
      throw new Unsupported("call with the wrong number of arguments");
    }
    String prefix = function.name() + " " + serial++ + " ";
    Map<Variable, Operand.Symbol> variables = new HashMap<>();
    bind(function.parameters(), arguments, variables, true);
    bind(function.results(), results, variables, false);
    append(function, new Frame(variables, prefix, prefix + "end"));
    flat.labels().put(prefix + "end", flat.body().size());
    copyResults(function.results(), results);
  }

  private void bind(
      List<Operand> formals,
      List<Operand> actuals,
      Map<Variable, Operand.Symbol> variables,
      boolean copy) {
    for (int k = 0; k < formals.size(); k++) {
      if (formals.get(k) instanceof Operand.Symbol formal
          && actuals.get(k) instanceof Operand.Symbol actual) {
        variables.put(formal.variable(), actual);
      } else if (formals.get(k) instanceof Register formal) {
        if (copy) {
          move(formal, actuals.get(k), formal);
        }
      } else {
        throw new Unsupported("argument " + actuals.get(k));
      }
    }
  }

  private void copyResults(List<Operand> formals, List<Operand> actuals) {
    for (int k = 0; k < formals.size(); k++) {
      if (formals.get(k) instanceof Register formal) {
        move(actuals.get(k), formal, formal);
      }
    }
  }

  private void move(Operand to, Operand from, Register typed) {
    List<String> parts = List.of("mov", typed.type().name().toLowerCase(Locale.ROOT));
    flat.body().add(new Instruction(0, 0, null, false, parts, List.of(to, from)));
  }
}
