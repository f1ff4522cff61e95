// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

/** Result codes ({@code nvmlReturn_t}), as far as Outboard returns them itself. */
public final class NvmlResult {
  /** It worked. */
  public static final int SUCCESS = 0;

  /** {@code nvmlInit} has not been called. */
  public static final int UNINITIALIZED = 1;

  /** An argument is wrong. */
  public static final int INVALID_ARGUMENT = 2;

  /** The device cannot do that, or tell it. */
  public static final int NOT_SUPPORTED = 3;

  /** There is no such thing. */
  public static final int NOT_FOUND = 6;

  /** An argument has too little room. */
  public static final int INSUFFICIENT_SIZE = 7;

  /** There is no driver. */
  public static final int DRIVER_NOT_LOADED = 9;

  /** The time was over before something happened. */
  public static final int TIMEOUT = 10;

  /** The vendor's library is not there. */
  public static final int LIBRARY_NOT_FOUND = 12;

  /** The library does not have that. */
  public static final int FUNCTION_NOT_FOUND = 13;

  /** The device does not answer: it has fallen off the bus, or cannot be reached otherwise. */
  public static final int GPU_IS_LOST = 15;

  /** Memory ran out. */
  public static final int MEMORY = 20;

  /** A structure is of a version that is not known. */
  public static final int ARGUMENT_VERSION_MISMATCH = 25;

  /** Something else. */
  public static final int UNKNOWN = 999;

  private NvmlResult() {}
}
