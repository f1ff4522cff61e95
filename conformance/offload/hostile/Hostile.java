// SPDX-License-Identifier: Apache-2.0
package hostile;

import io.outboard.offload.Offload;

/** Attacks that code of a client may try against its worker's machine. */
@Offload("hostile")
public interface Hostile {
  /** Returns how often it was called in this worker. */
  int count();

  /** Waits so long. */
  void sleep(int milliseconds) throws InterruptedException;

  /** Never ends, whatever it is told. */
  void loop();

  /** Takes memory in some way until there is none. */
  void takeMemory(String how);

  /** Ends its process. */
  void end();

  /** Tries something that it must not; returns what it got, or begins with {@code refused}. */
  String attempt(String what);
}
