// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.spec.Handle.Life;
import java.util.List;

/**
 * The description of a handle.
 *
 * @param kinds accepted kinds, the first is that of handles that come out; empty: no handle at all
 * @param life what the call does to it
 * @param parent name of the owning parameter, or empty
 * @param invalid result for a wrong handle
 */
public record HandleUse(List<Kind> kinds, Life life, String parent, int invalid) {
  /** Not a handle. */
  public static final HandleUse NONE = new HandleUse(List.of(), Life.USE, "", 0);

  /** Whether this is a handle. */
  public boolean present() {
    return !kinds.isEmpty();
  }

  /** The kind of handles that come out. */
  public Kind kind() {
    return kinds.getFirst();
  }

  /** Whether hosts may have values of their own for it. */
  public boolean everywhere() {
    return kinds.stream().anyMatch(Kind::everywhere);
  }

  /** Bit k for kind k. */
  public long mask() {
    return kinds.stream().mapToLong(kind -> 1L << kind.id()).reduce(0, (a, b) -> a | b);
  }

  /** Whether the call makes the handle. */
  public boolean creates() {
    return present() && life == Life.CREATE;
  }

  /** Whether the call ends the handle. */
  public boolean destroys() {
    return present() && (life == Life.DESTROY || life == Life.RELEASE);
  }

  /** Whether the call gives the handle to another owner. */
  public boolean gives() {
    return present() && life == Life.GIVE;
  }

  /** Whether the frontend counts one more owner. */
  public boolean retains() {
    return present() && life == Life.RETAIN;
  }

  /** Whether the frontend counts one owner fewer, and the call ends what has none. */
  public boolean releases() {
    return present() && life == Life.RELEASE;
  }
}
