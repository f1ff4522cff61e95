// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import javax.annotation.processing.Messager;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic;

/** Collects what is wrong, so that the author sees all of it at once. */
public final class Problems {
  private final Messager messager;
  private int count;

  /** Reports through a messager. */
  public Problems(Messager messager) {
    this.messager = messager;
  }

  /** Reports an error at an element. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  public void error(Element element, String format, Object... arguments) {
    messager.printMessage(Diagnostic.Kind.ERROR, format.formatted(arguments), element);
    count++;
  }

  /** Whether something was reported. */
  public boolean any() {
    return count > 0;
  }
}
