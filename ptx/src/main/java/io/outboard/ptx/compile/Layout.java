// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.compile;

import io.outboard.ptx.emit.Unsupported;
import io.outboard.ptx.host.PtxParameter;
import io.outboard.ptx.host.Space;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Where the variables of one kernel lie in their spaces. */
public final class Layout {
  private final Map<Variable, Long> offsets = new HashMap<>();
  private final List<PtxParameter> parameters = new ArrayList<>();
  private final int parameterBytes;
  private final int sharedBytes;
  private final int localBytes;

  /** Lays out the parameters of {@code kernel} and what its flat body {@code flat} uses. */
  Layout(Function kernel, Function flat) {
    parameterBytes = layParameters(kernel);
    Set<Variable> used = new LinkedHashSet<>();
    for (Instruction i : flat.body()) {
      i.operands().forEach(operand -> collect(operand, used));
    }
    sharedBytes = (int) lay(used, Space.SHARED);
    localBytes = (int) align(lay(used, Space.LOCAL), 16);
    layDynamic(used);
  }

  public List<PtxParameter> parameters() {
    return parameters;
  }

  public int parameterBytes() {
    return parameterBytes;
  }

  /** The static shared memory of a block. */
  public int sharedBytes() {
    return sharedBytes;
  }

  /** The local memory of a thread. */
  public int localBytes() {
    return localBytes;
  }

  private int layParameters(Function kernel) {
    long end = 0;
    for (Operand parameter : kernel.parameters()) {
      Variable variable = ((Operand.Symbol) parameter).variable();
      end = align(end, variable.align());
      offsets.put(variable, end);
      parameters.add(new PtxParameter((int) end, (int) variable.size(), variable.align()));
      end += variable.size();
    }
    return (int) end;
  }

  private static long align(long offset, int to) {
    return offset + to - 1 & -to;
  }

  private static void collect(Operand operand, Set<Variable> used) {
    switch (operand) {
      case Operand.Symbol symbol -> used.add(symbol.variable());
      case Operand.Address address -> collect(address.base(), used);
      case Operand.Group group -> group.elements().forEach(e -> collect(e, used));
      case Operand.Vector vector -> vector.elements().forEach(e -> collect(e, used));
      default -> {}
    }
  }

  private long lay(Set<Variable> used, Space space) {
    long end = 0;
    for (Variable variable : used) {
      if (variable.space() == space && variable.size() > 0) {
        end = align(end, variable.align());
        offsets.put(variable, end);
        end += variable.size();
      }
    }
    if (end > 1 << 20) {
      throw new Unsupported(
          "more than 1 MiB of " + space.name().toLowerCase(Locale.ROOT) + " memory");
    }
    return end;
  }

  /** Dynamic shared memory begins after the static; a launch brings its size. */
  private void layDynamic(Set<Variable> used) {
    for (Variable variable : used) {
      if (variable.space() == Space.SHARED && variable.size() == 0) {
        offsets.put(variable, align(sharedBytes, 16));
      }
    }
  }

  /** Finds addresses, those of device memory in {@code device}. */
  ToLongFunction<Variable> addresses(Map<String, Long> device) {
    return variable -> {
      Long known = offsets.get(variable);
      if (known == null) {
        known = device.get(variable.name());
      }
      if (known == null) {
        throw new IllegalStateException("no address for variable " + variable);
      }
      return known;
    };
  }
}
