// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.GRAPH;
import static io.outboard.cuda.CudaKinds.NODE;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.cuda.struct.GraphEdge;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Same;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;

/**
 * Capture: a stream's work becomes a graph; CUDA Driver API, section 6.18. The backend captures in
 * relaxed mode, because there calls of one thread run on several; the frontend enforces the modes.
 */
public interface CudaCapture {
  /** Begins to capture a stream. */
  @Call(310)
  @Takes(Resource.NOTHING)
  @Custom("the count of captures, while which streams are asked whether they capture")
  @Variants("cuStreamBeginCapture_v2_ptsz")
  int cuStreamBeginCapture_v2(@Handle(STREAM) long stream, int mode);

  /** Begins to capture a stream into a graph that there is. */
  @Call(311)
  @Takes(Resource.NOTHING)
  @Custom("the count of captures")
  @Variants("cuStreamBeginCaptureToGraph_ptsz")
  int cuStreamBeginCaptureToGraph(
      @Handle(STREAM) long stream,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      @In(struct = GraphEdge.class, count = "count") long edges,
      long count,
      int mode);

  /** Ends a capture and gives the graph. */
  @Call(312)
  @Takes(Resource.NOTHING)
  @Custom("the count of captures")
  @Variants("cuStreamEndCapture_ptsz")
  int cuStreamEndCapture(@Handle(STREAM) long stream, @Out(LONG) @Handle(GRAPH) long graph);

  /** Whether a stream captures: 0, 1, or 2 where an error has ended the capture. */
  @Call(313)
  @Takes(Resource.NOTHING)
  @Custom("the count of captures: without one the answer is known")
  @Variants("cuStreamIsCapturing_ptsz")
  int cuStreamIsCapturing(@Handle(STREAM) long stream, @Out(INT) long status);

  /**
   * The capture of a stream: its number, the graph so far, and what the stream's next node will
   * wait for, as much of that as there is room for. The last output is how much.
   */
  @Call(314)
  @Takes(Resource.NOTHING)
  @Custom(
      value = "not a function of the vendor: cuStreamGetCaptureInfo, with room for what it finds",
      binding = true)
  int outboardStreamGetCaptureInfo(
      @Handle(STREAM) long stream,
      @Out(INT) long status,
      @Out(LONG) long id,
      @Out(LONG) @Handle(GRAPH) long graph,
      @Out(value = LONG, count = "count") @Handle(NODE) long dependencies,
      @Out(struct = GraphEdge.class, count = "count") long edges,
      @InOut(LONG) long count);

  /** Adds to what the stream's next node waits for, or says it anew. */
  @Call(315)
  @Takes(Resource.NOTHING)
  @Custom("the count of captures: a stream without one is looked at before the lists")
  @Variants("cuStreamUpdateCaptureDependencies_v2_ptsz")
  int cuStreamUpdateCaptureDependencies_v2(
      @Handle(STREAM) long stream,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      @In(struct = GraphEdge.class, count = "count") long edges,
      long count,
      int flags);

  /** As cuStreamBeginCapture_v2, in global mode. */
  @Same(
      as = "cuStreamBeginCapture_v2",
      with = {"stream", "0"})
  @Variants("cuStreamBeginCapture_ptsz")
  default int cuStreamBeginCapture(@Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Whether a stream captures, and the number of the capture. */
  @Same(
      as = "cuStreamGetCaptureInfo_v3",
      with = {"stream", "status", "id", "NULL", "NULL", "NULL", "NULL"},
      prototype =
          "CUresult cuStreamGetCaptureInfo(CUstream stream, int *status, unsigned long long *id)")
  @Variants("cuStreamGetCaptureInfo_ptsz")
  default int cuStreamGetCaptureInfo(
      @Handle(STREAM) long stream, @Out(INT) long status, @Out(LONG) long id) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuStreamGetCaptureInfo, and the graph so far. */
  @Same(
      as = "cuStreamGetCaptureInfo_v3",
      with = {"stream", "status", "id", "graph", "dependencies", "NULL", "count"},
      prototype =
          "CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int *status, unsigned long long *id,"
              + " CUgraph *graph, const CUgraphNode **dependencies, size_t *count)")
  @Variants("cuStreamGetCaptureInfo_v2_ptsz")
  default int cuStreamGetCaptureInfo_v2(
      @Handle(STREAM) long stream,
      @Out(INT) long status,
      @Out(LONG) long id,
      long graph,
      long dependencies,
      long count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuStreamGetCaptureInfo_v2, and the kinds of the graph's edges. */
  @Local(
      prototype =
          "CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, unsigned long long *id,"
              + " CUgraph *graph, const CUgraphNode **dependencies, const CUgraphEdgeData **edges,"
              + " size_t *count)")
  @Variants("cuStreamGetCaptureInfo_v3_ptsz")
  default int cuStreamGetCaptureInfo_v3(
      @Handle(STREAM) long stream,
      @Out(INT) long status,
      @Out(LONG) long id,
      long graph,
      long dependencies,
      long edges,
      long count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuStreamUpdateCaptureDependencies_v2, without edges' data. */
  @Same(
      as = "cuStreamUpdateCaptureDependencies_v2",
      with = {"stream", "dependencies", "NULL", "count", "flags"},
      prototype =
          "CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,"
              + " size_t count, unsigned int flags)")
  @Variants("cuStreamUpdateCaptureDependencies_ptsz")
  default int cuStreamUpdateCaptureDependencies(
      @Handle(STREAM) long stream, long dependencies, long count, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The thread's capture mode. */
  @Local(prototype = "CUresult cuThreadExchangeStreamCaptureMode(int *mode)")
  default int cuThreadExchangeStreamCaptureMode(@InOut(INT) long mode) {
    return CudaResult.NOT_SUPPORTED;
  }
}
