// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.offload;

import io.outboard.cli.command.Failure;
import java.util.List;

/** Workers that are there until they are closed. */
interface Workforce extends AutoCloseable {
  /** A line for each: where it is, a space, and its token. */
  List<String> lines() throws Failure;

  /** Ends them. */
  @Override
  void close();
}
