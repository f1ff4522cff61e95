// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

/** Takes the work of streams instead of doing it, until it ends. */
public interface StreamCapture {
  /** Takes work of a stream; a result code. */
  int add(Stream stream, Operation operation);

  /** Ends it in effect because of an error; returns the error. */
  int invalidate(int error);

  /** Where a stream is in it now. */
  Point at(Stream stream);

  /** A point in the work of a stream that is captured. */
  interface Point {
    /** The capture that it is in. */
    StreamCapture capture();

    /** Lets a stream's next work wait for it too; the stream joins if it is not there yet. */
    void join(Stream stream);
  }
}
