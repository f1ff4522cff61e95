// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.offload.Most;
import io.outboard.offload.Offload;
import io.outboard.offload.Repeatable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A service with each kind of value. */
@Offload("everything")
public interface Everything {
  /** Returns what it gets. */
  @Repeatable
  Whole same(Whole whole);

  /** The same of what is not in a record. */
  @Repeatable
  long[] sums(
      boolean a,
      byte b,
      short c,
      char d,
      int e,
      long f,
      float g,
      double h,
      Integer boxed,
      List<Long> more);

  /** Throws what it is told to. */
  void fail(@Most(100) String text, int how) throws FirstException, SecondException;

  /** Counts how often it is called. */
  int count();

  /** Goes on until it is interrupted. */
  void await() throws InterruptedException;

  /** Returns a list of so many. */
  @Most(3)
  List<Byte> list(int length);

  /** A declared one. */
  final class FirstException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Of a text. */
    public FirstException(String text) {
      super(text);
    }
  }

  /** Another one, which is unchecked. */
  final class SecondException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Of a text. */
    public SecondException(String text) {
      super(text);
    }
  }

  /** A few. */
  enum Colour {
    RED,
    GREEN,
    BLUE
  }

  /** Nothing in it. */
  record Nothing() {}

  /** A recursive type. */
  sealed interface Tree permits Leaf, Node {}

  /** An end. */
  record Leaf(int value) implements Tree {}

  /** More of them. */
  record Node(Tree left, Tree right) implements Tree {}

  /** A record that refuses some of its components. */
  record Even(int value) {
    /** Refuses odd ones. */
    public Even {
      if (value % 2 != 0) {
        throw new IllegalArgumentException("an odd one");
      }
    }
  }

  /** All of them. */
  record Whole(
      boolean[] booleans,
      byte[] bytes,
      short[] shorts,
      char[] chars,
      int[] ints,
      long[] longs,
      float[] floats,
      double[] doubles,
      String text,
      String[] texts,
      int[][] nested,
      Colour colour,
      Nothing nothing,
      Even even,
      Tree tree,
      List<Optional<Colour>> list,
      Map<String, List<Tree>> map,
      Optional<Map<Integer, Boolean>> optional) {}
}
