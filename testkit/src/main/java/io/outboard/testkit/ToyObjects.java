// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.testkit.ToyKinds.BUFFER;
import static io.outboard.testkit.ToyKinds.NODE;
import static io.outboard.testkit.ToyKinds.STREAM;

import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Callback;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;

/** Handles, streams, transfers and functions of the client. */
public interface ToyObjects {
  /** Makes a buffer. */
  @Call(20)
  @Takes(value = Resource.MEMORY, bytes = "bytes")
  int toyBufferCreate(
      @Out(LONG) @Handle(value = BUFFER, life = Life.CREATE) long buffer, long bytes);

  /** Size of a buffer. */
  @Call(21)
  int toyBufferSize(@Handle(BUFFER) long buffer, @Out(LONG) long bytes);

  /** Ends a buffer and its nodes. */
  @Call(22)
  int toyBufferDestroy(@Handle(value = BUFFER, life = Life.DESTROY) long buffer);

  /** Address of a buffer. */
  @Call(23)
  int toyBufferAddress(@Handle(BUFFER) long buffer, @Out(LONG) @DevicePointer long address);

  /** A node of a buffer; 0 past the last. */
  @Call(24)
  int toyNode(
      @Out(LONG) @Handle(value = NODE, parent = "buffer") long node,
      @Handle(BUFFER) long buffer,
      int index);

  /** The first nodes of a buffer. */
  @Call(25)
  int toyNodes(
      @Out(value = LONG, count = "count") @Handle(value = NODE, parent = "buffer") long nodes,
      int count,
      @Handle(BUFFER) long buffer);

  /** Adds up the sizes of buffers and the indices of nodes. */
  @Call(26)
  int toyMeasure(
      @In(value = LONG, count = "count") @Handle({BUFFER, NODE}) long objects,
      int count,
      @Out(LONG) long sum);

  /** Steps to the next node. */
  @Call(27)
  int toyNext(@InOut(LONG) @Handle(NODE) long node);

  /** Steps many nodes on. */
  @Call(28)
  int toyNextAll(@InOut(value = LONG, count = "count") @Handle(NODE) long nodes, int count);

  /** Makes a node that belongs to a buffer. */
  @Call(29)
  int toyNodeCreate(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "buffer") long node,
      @Handle(BUFFER) long buffer);

  /** Makes a stream. */
  @Call(30)
  int toyStreamCreate(@Out(LONG) @Handle(value = STREAM, life = Life.CREATE) long stream);

  /** Posts a number to a stream. */
  @Call(31)
  @Takes(value = Resource.COMPUTE, of = "stream")
  @Async
  @Variants("toyPost_ptsz")
  int toyPost(@Handle(STREAM) long stream, int value);

  /** The last number that was posted to a stream. */
  @Call(32)
  @Takes(Resource.NOTHING)
  @Variants({"toyLast_ptsz", "toyLatest"})
  int toyLast(@Handle(STREAM) long stream, @Out(INT) long value);

  /** Waits for a stream. */
  @Call(33)
  @Takes(Resource.NOTHING)
  @Blocking
  int toyWait(@Handle(STREAM) long stream);

  /** Copies to the toy device. */
  @Call(34)
  @Blocking
  int toyUpload(
      @DevicePointer long to, @In(bytes = "bytes", advancing = "to") long from, long bytes);

  /** Copies from the toy device. */
  @Call(35)
  @Blocking
  int toyDownload(
      @Out(bytes = "bytes", advancing = "from") long to, @DevicePointer long from, long bytes);

  /** Copies to the toy device, posted. */
  @Call(36)
  @Takes(Resource.NOTHING)
  @Async
  int toyUploadAsync(
      @DevicePointer long to,
      @In(bytes = "bytes", advancing = "to") long from,
      long bytes,
      @Handle(STREAM) long stream);

  /** Runs a function of the client. */
  @Call(37)
  @Takes(value = Resource.COMPUTE, of = "stream")
  int toyRun(
      @Handle(STREAM) long stream, @Callback(userData = "userData") long function, long userData);
}
