// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A kernel or a device function: its instructions and the labels between them. */
public final class Function {
  private final String name;
  private final boolean entry;
  private final List<Operand> parameters = new ArrayList<>();
  private final List<Operand> results = new ArrayList<>();
  private final List<Instruction> body = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final Map<String, List<String>> branchTables = new HashMap<>();
  private boolean defined;
  private int maxThreads = 1024;

  public Function(String name, boolean entry) {
    this.name = name;
    this.entry = entry;
  }

  public String name() {
    return name;
  }

  /** Whether this is a kernel. */
  public boolean entry() {
    return entry;
  }

  /** Each a {@link Operand.Symbol} in parameter space or a {@link Register}. */
  public List<Operand> parameters() {
    return parameters;
  }

  /** As {@link #parameters}. */
  public List<Operand> results() {
    return results;
  }

  public List<Instruction> body() {
    return body;
  }

  /** Label to index of the next instruction. */
  public Map<String, Integer> labels() {
    return labels;
  }

  /** The {@code .branchtargets} lists by their labels. */
  public Map<String, List<String>> branchTables() {
    return branchTables;
  }

  /** Whether a body was given. */
  public boolean defined() {
    return defined;
  }

  public void setDefined() {
    defined = true;
  }

  public int maxThreads() {
    return maxThreads;
  }

  public void setMaxThreads(int threads) {
    maxThreads = threads;
  }
}
