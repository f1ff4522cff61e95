// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

/** The result codes of the toy library. */
public final class ToyResult {
  /** Done. */
  public static final int SUCCESS = 0;

  /** An argument is out of its range. */
  public static final int INVALID_VALUE = 1;

  /** Not enough memory. */
  public static final int OUT_OF_MEMORY = 2;

  /** Not initialised. */
  public static final int NOT_INITIALIZED = 3;

  /** Not implemented. */
  public static final int NOT_SUPPORTED = 4;

  /** No connection. */
  public static final int UNAVAILABLE = 5;

  /** The program's array has too little room. */
  public static final int TOO_LITTLE = 6;

  /** A structure's own size is not known. */
  public static final int VERSION_MISMATCH = 7;

  /** Not a stream. */
  public static final int INVALID_STREAM = 11;

  /** Not a buffer. */
  public static final int INVALID_BUFFER = 12;

  /** Not a node. */
  public static final int INVALID_NODE = 13;

  private ToyResult() {}
}
