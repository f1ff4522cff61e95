// SPDX-License-Identifier: Apache-2.0
package io.outboard.lamp;

import static io.outboard.spec.Scalar.BYTE;
import static io.outboard.spec.Scalar.FLOAT;

import io.outboard.spec.Async;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.Found;
import io.outboard.spec.In;
import io.outboard.spec.Library;
import io.outboard.spec.Offset;
import io.outboard.spec.Out;
import io.outboard.spec.Refused;
import io.outboard.spec.Results;
import io.outboard.spec.Returned;

/** A library whose functions have no results. */
@Library(
    name = "lamp",
    id = 9,
    soname = "liblamp.so.1",
    keepsResults = true,
    results =
        @Results(
            invalidValue = 1,
            notSupported = 2,
            notInitialized = 3,
            unavailable = 4,
            outOfMemory = 5))
public interface Lamp {
  /** Nothing comes back, so it is posted. */
  @Call(1)
  @Async
  int lampColor(float red, float green, float blue);

  /** The library alone knows how many values a name stands for. */
  @Call(2)
  @Async
  int lampSet(
      int name,
      @In(value = FLOAT, count = "many") long values,
      @Found(values = "name") int many);

  /** The same of an answer. */
  @Call(3)
  int lampGet(
      int name,
      @Out(value = FLOAT, count = "many") long values,
      @Found(values = "name") int many);

  /** An offset into the buffer that the library calls 7. */
  @Call(4)
  @Async
  int lampDraw(int count, @Offset(7) long from);

  /** Returns the number that it finds. */
  @Call(5)
  int lampIs(@CString long name, @Out(BYTE) @Returned long made);

  /** Null means that nobody wants it. */
  @Call(6)
  int lampFigures(int room, @Out(value = FLOAT, count = "room", optional = true) long figures);

  /** It is refused in its own shape. */
  @Refused
  default int lampMap(int name, @Out(BYTE) @Returned long made) {
    return 2;
  }
}
