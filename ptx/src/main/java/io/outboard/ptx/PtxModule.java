// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import io.outboard.ptx.compile.Checker;
import io.outboard.ptx.compile.KernelCompiler;
import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.host.ReferenceKind;
import io.outboard.ptx.host.Space;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Program;
import io.outboard.ptx.model.Variable;
import io.outboard.ptx.parse.PtxParser;
import io.outboard.ptx.parse.VariableSizes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A PTX text made ready to run: its variables are to be placed in device memory, then its kernels
 * can be launched. Kernels are compiled when they are first launched.
 */
public final class PtxModule {
  private final Program program;
  private final List<PtxVariable> variables = new ArrayList<>();
  private final Map<String, PtxKernel> kernels = new LinkedHashMap<>();
  private Map<String, Long> addresses;

  private PtxModule(Program program, Checker checked) {
    this.program = program;
    for (Variable variable : program.variables()) {
      if (variable.space() == Space.GLOBAL || variable.space() == Space.CONST) {
        variables.add(describe(variable));
      }
    }
    for (Function function : program.functions().values()) {
      if (function.entry() && function.defined()) {
        kernels.put(
            function.name(),
            new PtxKernel(this, function, KernelCompiler.of(program, function, checked)));
      }
    }
  }

  /** Bytes of its constants, one behind the other as their alignments permit. */
  int constantBytes() {
    long end = 0;
    for (PtxVariable variable : variables) {
      if (variable.space() == Space.CONST) {
        end = (end + variable.align() - 1) / variable.align() * variable.align() + variable.size();
      }
    }
    return Math.toIntExact(Math.min(end, Integer.MAX_VALUE));
  }

  private static PtxVariable describe(Variable v) {
    return new PtxVariable(v.name(), v.space(), v.size(), v.align(), v.managed(), v.initializer());
  }

  /**
   * Reads and checks {@code text}; throws {@link PtxException} with line and column where it is
   * wrong. A kernel that needs what is not implemented is there, and {@link PtxKernel#missing} says
   * what.
   */
  public static PtxModule parse(String text) {
    Program program = PtxParser.parse(text);
    return new PtxModule(program, Checker.check(program));
  }

  /**
   * The bytes of device memory that the variables of {@code text} take, whatever its instructions
   * are; throws {@link PtxException} where a declaration cannot be read.
   */
  public static long variableBytes(String text) {
    return VariableSizes.total(text);
  }

  /** The variables that the caller places in device memory. */
  public List<PtxVariable> variables() {
    return Collections.unmodifiableList(variables);
  }

  /** What it names for the program to bind, by name; no kernel reads through one. */
  public Map<String, ReferenceKind> references() {
    return Collections.unmodifiableMap(program.references());
  }

  /** The kernels by name. */
  public Map<String, PtxKernel> kernels() {
    return Collections.unmodifiableMap(kernels);
  }

  /**
   * Tells the device address of each variable. To be called once, before the first launch; throws
   * {@link IllegalArgumentException} where an address is missing.
   */
  public synchronized void place(Map<String, Long> addresses) {
    if (this.addresses != null) {
      throw new IllegalStateException("placed already");
    }
    for (PtxVariable variable : variables) {
      if (!addresses.containsKey(variable.name())) {
        throw new IllegalArgumentException("no address for " + variable.name());
      }
    }
    Map<String, Long> symbols = program.functionAddresses();
    symbols.putAll(addresses);
    for (PtxVariable variable : variables) {
      if (variable.contents() != null) {
        variable.contents().resolve(symbols);
      }
    }
    this.addresses = new HashMap<>(addresses);
  }

  /** The placed addresses. */
  synchronized Map<String, Long> addresses() {
    if (addresses == null && variables.isEmpty()) {
      return Map.of();
    }
    if (addresses == null) {
      throw new IllegalStateException("the variables are not placed yet");
    }
    return addresses;
  }

  /** As in the text, for example {@code sm_75}. */
  public String target() {
    return program.target();
  }

  /** As in the text, for example {@code 8.5}. */
  public String version() {
    return program.version();
  }
}
