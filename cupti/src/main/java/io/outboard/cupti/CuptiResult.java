// SPDX-License-Identifier: Apache-2.0
package io.outboard.cupti;

/** Result codes ({@code CUptiResult}), as far as Outboard returns them itself. */
public final class CuptiResult {
  /** It worked. */
  public static final int SUCCESS = 0;

  /** An argument is wrong. */
  public static final int INVALID_PARAMETER = 1;

  /** Memory ran out. */
  public static final int OUT_OF_MEMORY = 8;

  /** There is nothing to profile with: no CUPTI where the devices are, or no backend. */
  public static final int NOT_INITIALIZED = 15;

  /** That is not implemented. */
  public static final int NOT_SUPPORTED = 27;

  /** Something else. */
  public static final int UNKNOWN = 999;

  private CuptiResult() {}
}
