// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaCapture;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.graph.Capture;
import io.outboard.softgpu.graph.Graph;
import io.outboard.softgpu.graph.GraphNode;
import io.outboard.softgpu.graph.Nodes;
import io.outboard.wire.Native;
import java.util.List;

/** Captures of streams. */
public final class CaptureCalls implements CudaCapture {
  /** {@code CU_STREAM_CAPTURE_MODE_RELAXED}. */
  private static final int LAST_MODE = 2;

  private static final int NONE = 0;
  private static final int ACTIVE = 1;
  private static final int INVALIDATED = 2;

  /** {@code CU_STREAM_SET_CAPTURE_DEPENDENCIES}; 0 adds. */
  private static final int SET = 1;

  private final Machine machine;

  public CaptureCalls(Machine machine) {
    this.machine = machine;
  }

  @Override
  public int cuStreamBeginCapture_v2(long stream, int mode) {
    return begin(stream, null, List.of(), mode);
  }

  @Override
  public int cuStreamBeginCaptureToGraph(
      long stream, long graph, long dependencies, long edges, long count, int mode) {
    Graph into = machine.handles().get(graph, Graph.class);
    List<GraphNode> nodes = into == null ? null : Nodes.read(machine, into, dependencies, count);
    if (machine.usable(stream) != null && nodes == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (nodes != null && !Nodes.areEdges(edges, count)) {
      return CudaResult.INVALID_VALUE;
    }
    return begin(stream, into, nodes, mode);
  }

  private int begin(long handle, Graph into, List<GraphNode> dependencies, int mode) {
    Context context = machine.usable(handle);
    if (context == null) {
      return machine.refusal(handle);
    }
    Stream stream = context.ownStream(handle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (mode < 0 || mode > LAST_MODE) {
      return CudaResult.INVALID_VALUE;
    }
    if (stream == context.order().legacy()) {
      return CudaResult.STREAM_CAPTURE_UNSUPPORTED;
    }
    if (stream.capture() != null) {
      return CudaResult.ILLEGAL_STATE;
    }
    Capture begun = new Capture(machine, stream, into, dependencies);
    return stream.capture() == begun ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuStreamEndCapture(long handle, long graph) {
    int result = check(handle);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    Stream stream = machine.usable(handle).stream(handle);
    Capture capture = Capture.of(stream);
    put(graph, 0);
    if (capture == null) {
      return graph == 0 ? CudaResult.INVALID_VALUE : CudaResult.ILLEGAL_STATE;
    }
    boolean isNew = capture.graph().handle() == 0;
    return isNew && graph == 0 ? CudaResult.INVALID_VALUE : end(capture, stream, graph);
  }

  private int end(Capture capture, Stream stream, long graph) {
    int result = capture.end(stream);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    Graph made = capture.graph();
    if (made.handle() == 0 && !machine.handles().add(made)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    put(graph, made.handle());
    return CudaResult.SUCCESS;
  }

  /** After a capture into an existing graph the program need not ask for the graph. */
  private static void put(long graph, long handle) {
    if (graph != 0) {
      Native.putLong(graph, handle);
    }
  }

  @Override
  public int cuStreamIsCapturing(long stream, long status) {
    int result = check(stream, status);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(status, status(Capture.of(machine.usable(stream).stream(stream))));
    }
    return result;
  }

  private static int status(Capture capture) {
    if (capture == null) {
      return NONE;
    }
    return capture.isInvalid() ? INVALIDATED : ACTIVE;
  }

  @Override
  public int outboardStreamGetCaptureInfo(
      long handle, long status, long id, long graph, long dependencies, long edges, long count) {
    int result = cuStreamIsCapturing(handle, status);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    Stream stream = machine.usable(handle).stream(handle);
    Capture capture = Capture.of(stream);
    if (capture == null || id == 0 || graph == 0 || count == 0) {
      return capture == null ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
    }
    Graph soFar = capture.graph();
    if (soFar.handle() == 0 && !machine.handles().add(soFar)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(id, capture.id());
    Native.putLong(graph, soFar.handle());
    Nodes.write(capture.ends(stream), dependencies, count);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuStreamUpdateCaptureDependencies_v2(
      long handle, long dependencies, long edges, long count, int flags) {
    int result = check(handle, handle);
    Stream stream = result == CudaResult.SUCCESS ? machine.usable(handle).stream(handle) : null;
    if (stream == null) {
      return result;
    }
    Capture capture = Capture.of(stream);
    if (capture == null) {
      return CudaResult.ILLEGAL_STATE;
    }
    List<GraphNode> nodes = Nodes.read(machine, capture.graph(), dependencies, count);
    if (nodes == null || flags < 0 || flags > SET) {
      return CudaResult.INVALID_VALUE;
    }
    capture.ends(stream, nodes, flags != SET);
    return CudaResult.SUCCESS;
  }

  private int check(long stream, long output) {
    boolean isWrong = machine.usable(stream) != null && output == 0;
    return isWrong ? CudaResult.INVALID_VALUE : check(stream);
  }

  private int check(long stream) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    return context.stream(stream) == null ? CudaResult.INVALID_HANDLE : CudaResult.SUCCESS;
  }
}
