// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

import io.outboard.ptx.host.ReferenceKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A PTX module as read: variables and functions in the order of the text. */
public final class Program {
  private final List<Variable> variables = new ArrayList<>();
  private final Map<String, Function> functions = new LinkedHashMap<>();
  private final Map<String, ReferenceKind> references = new LinkedHashMap<>();
  private String version = "";
  private String target = "";

  /** The variables of module scope. */
  public List<Variable> variables() {
    return variables;
  }

  /** The references to textures, samplers and surfaces, by name. */
  public Map<String, ReferenceKind> references() {
    return references;
  }

  public Map<String, Function> functions() {
    return functions;
  }

  /**
   * Returns a number for each function, in place of its address: small numbers, at which there is
   * no memory.
   */
  public Map<String, Long> functionAddresses() {
    Map<String, Long> addresses = new HashMap<>();
    functions.keySet().forEach(name -> addresses.put(name, 16L * (addresses.size() + 1)));
    return addresses;
  }

  public String version() {
    return version;
  }

  public void setVersion(String version) {
    this.version = version;
  }

  public String target() {
    return target;
  }

  public void setTarget(String target) {
    this.target = target;
  }
}
