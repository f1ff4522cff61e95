// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.text;

import io.outboard.codegen.model.Library;

/** Writes one file. */
@FunctionalInterface
public interface Emitter {
  /** The text of the file. */
  String emit(Library library);
}
