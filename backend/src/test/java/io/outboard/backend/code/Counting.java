// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.offload.Offload;
import io.outboard.offload.Range;
import io.outboard.offload.Split;
import java.util.List;

/** Methods that are split. */
@Offload("counting")
public interface Counting {
  /** Adds the multiples of a number up. */
  @Split(over = "numbers", join = Split.Join.SUM)
  long sum(Range numbers, int factor);

  /** Lists them. */
  @Split(over = "numbers", join = Split.Join.CONCAT)
  List<Long> list(Range numbers);

  /** Fails with this text where the range has zero. */
  @Split(over = "numbers", join = Split.Join.SUM)
  int fail(Range numbers, String text) throws FirstException;

  /** One that is declared. */
  final class FirstException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says why. */
    public FirstException(String why) {
      super(why);
    }
  }
}
