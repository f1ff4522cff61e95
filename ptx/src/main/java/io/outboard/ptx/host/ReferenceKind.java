// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/** What a module names beside its variables, to be bound by the program: PTX ISA, section 5.3. */
public enum ReferenceKind {
  TEXTURE("texref"),
  SAMPLER("samplerref"),
  SURFACE("surfref");

  private final String directive;

  ReferenceKind(String directive) {
    this.directive = directive;
  }

  /** Its word in a declaration. */
  public String directive() {
    return directive;
  }
}
