// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.device.StreamCapture;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A capture: work of its streams becomes nodes of a graph (CUDA C++ Programming Guide, "Creating a
 * Graph Using Stream Capture"). A stream joins when it waits for an event that was recorded in the
 * capture.
 */
public final class Capture implements StreamCapture {
  private static final AtomicLong LATEST_ID = new AtomicLong();

  private final long id = LATEST_ID.incrementAndGet();
  private final Machine machine;
  private final Graph graph;
  private final Stream origin;
  private final boolean intoGraph;
  private final Map<Stream, Set<GraphNode>> ends = new HashMap<>();
  private boolean invalid;

  /** Begins a capture; without a graph it makes one. */
  public Capture(Machine machine, Stream origin, Graph into, Collection<GraphNode> dependencies) {
    this.machine = machine;
    this.origin = origin;
    this.intoGraph = into != null;
    this.graph = into != null ? into : new Graph();
    ends.put(origin, new LinkedHashSet<>(dependencies));
    origin.capture(this);
  }

  /** The capture into a graph that a stream is in, or null: there are no others. */
  public static Capture of(Stream stream) {
    return (Capture) stream.capture();
  }

  public long id() {
    return id;
  }

  public Graph graph() {
    return graph;
  }

  public synchronized boolean isInvalid() {
    return invalid;
  }

  @Override
  public synchronized int invalidate(int error) {
    invalid = true;
    return error;
  }

  /** The nodes that the next node of a stream waits for. */
  public synchronized List<GraphNode> ends(Stream stream) {
    return List.copyOf(ends.get(stream));
  }

  /** Sets that, or adds to it. */
  public synchronized void ends(Stream stream, Collection<GraphNode> nodes, boolean add) {
    Set<GraphNode> end = ends.get(stream);
    if (!add) {
      end.clear();
    }
    end.addAll(nodes);
  }

  @Override
  public synchronized int add(Stream stream, Operation operation) {
    if (invalid) {
      return CudaResult.STREAM_CAPTURE_INVALIDATED;
    }
    Set<GraphNode> end = ends.get(stream);
    GraphNode node = graph.add(operation, end);
    if (!machine.handles().add(node)) {
      graph.remove(node);
      return invalidate(CudaResult.OUT_OF_MEMORY);
    }
    end.clear();
    end.add(node);
    return CudaResult.SUCCESS;
  }

  /** The end of a stream's work when it was asked for: the nodes to wait for. */
  private record End(Capture capture, List<GraphNode> nodes) implements Point {
    @Override
    public void join(Stream stream) {
      capture.join(stream, nodes);
    }
  }

  @Override
  public Point at(Stream stream) {
    return new End(this, ends(stream));
  }

  private synchronized void join(Stream stream, List<GraphNode> nodes) {
    ends.computeIfAbsent(stream, s -> new LinkedHashSet<>()).addAll(nodes);
    stream.capture(this);
  }

  /** Ends it, as asked for in a stream. */
  public synchronized int end(Stream stream) {
    if (stream != origin) {
      return invalidate(CudaResult.STREAM_CAPTURE_UNMATCHED);
    }
    int result = result();
    ends.keySet().forEach(joined -> joined.capture(null));
    if (result != CudaResult.SUCCESS && !intoGraph) {
      new ArrayList<>(graph.nodes()).forEach(machine.handles()::remove);
    }
    return result;
  }

  private int result() {
    if (invalid) {
      return CudaResult.STREAM_CAPTURE_INVALIDATED;
    }
    Set<GraphNode> last = ends.get(origin);
    for (Set<GraphNode> end : ends.values()) {
      for (GraphNode node : end) {
        if (last.stream().noneMatch(l -> graph.reaches(node, l))) {
          return CudaResult.STREAM_CAPTURE_UNJOINED;
        }
      }
    }
    return CudaResult.SUCCESS;
  }
}
