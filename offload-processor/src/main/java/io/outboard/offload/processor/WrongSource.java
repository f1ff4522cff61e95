// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import javax.lang.model.element.Element;

/** Something in a source that cannot be offloaded. */
final class WrongSource extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Element where;

  WrongSource(Element where, String why) {
    super(why);
    this.where = where;
  }

  Element where() {
    return where;
  }
}
