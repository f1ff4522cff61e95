// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit;

import io.outboard.codegen.model.Library;

/** Writes one file. */
@FunctionalInterface
interface Emitter {
  /** The text of the file. */
  String emit(Library library);
}
