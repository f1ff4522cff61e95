// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

/**
 * A symbol of the vendor's: one that its library exports, or a function of an extension, which is
 * found by its name only.
 *
 * @param name the symbol
 * @param base the name by which it is asked for, empty if it is an export only
 * @param version the first version with it, 0 if it has none
 * @param perThread whether it uses the thread's own default stream
 * @param debugger whether it is of the debugger's interface: a variable, or a function that has
 *     results of its own; it is refused by hand
 */
public record Symbol(String name, String base, int version, boolean perThread, boolean debugger) {

  /** Whether the vendor's library exports it: a function of an extension has no version. */
  public boolean exported() {
    return base.isEmpty() || version > 0;
  }
}
