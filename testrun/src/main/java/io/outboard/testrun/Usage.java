// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.io.Serial;

/** Somebody asked for what there is not. */
final class Usage extends Exception {
  @Serial private static final long serialVersionUID = 1;

  Usage(String message) {
    super(message);
  }
}
