// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.graph.Graph;
import io.outboard.softgpu.graph.UserObject;
import io.outboard.softgpu.stream.HostFunctionOperation;

/** Objects of the program that graphs own. */
abstract class UserObjectCalls extends GraphParts {
  /** {@code CU_USER_OBJECT_NO_DESTRUCTOR_SYNC}: must be given, as there is no other way yet. */
  private static final int NO_DESTRUCTOR_SYNC = 1;

  /** {@code CU_GRAPH_USER_OBJECT_MOVE}: the graph takes owners over from the caller. */
  private static final int MOVE = 1;

  UserObjectCalls(Machine machine) {
    super(machine);
  }

  @Override
  public int cuUserObjectCreate(long object, long pointer, long destroy, int count, int flags) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (object == 0 || destroy == 0 || count <= 0 || flags != NO_DESTRUCTOR_SYNC) {
      return CudaResult.INVALID_VALUE;
    }
    HostFunctionOperation end = new HostFunctionOperation(destroy, pointer);
    return publish(object, new UserObject(machine.handles(), end, count));
  }

  @Override
  public int cuUserObjectRetain(long object, int count) {
    UserObject retained = machine.handles().get(object, UserObject.class);
    if (retained == null || count <= 0) {
      return retained == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    retained.retain(count);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuUserObjectRelease(long object, int count) {
    UserObject released = machine.handles().get(object, UserObject.class);
    if (released == null || count <= 0) {
      return released == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    released.release(count);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphRetainUserObject(long graph, long object, int count, int flags) {
    Graph owner = machine.handles().get(graph, Graph.class);
    UserObject owned = machine.handles().get(object, UserObject.class);
    if (owner == null || owned == null) {
      return unknown();
    }
    if (count <= 0 || (flags != 0 && flags != MOVE)) {
      return CudaResult.INVALID_VALUE;
    }
    if (flags != MOVE) {
      owned.retain(count);
    }
    owner.owned().add(owned, count);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphReleaseUserObject(long graph, long object, int count) {
    Graph owner = machine.handles().get(graph, Graph.class);
    UserObject owned = machine.handles().get(object, UserObject.class);
    if (owner == null || owned == null) {
      return unknown();
    }
    if (count <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    owner.owned().remove(owned, count);
    return CudaResult.SUCCESS;
  }
}
