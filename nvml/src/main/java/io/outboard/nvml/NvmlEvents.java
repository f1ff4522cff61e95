// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

import static io.outboard.nvml.NvmlKinds.DEVICE;
import static io.outboard.nvml.NvmlKinds.EVENT_SET;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.DESTROY;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.nvml.struct.EventData;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Handle;
import io.outboard.spec.Out;

/** Events; NVML API Reference, "Event Handling Methods". */
public interface NvmlEvents {
  /** Makes a set of events. */
  @Call(360)
  int nvmlEventSetCreate(@Out(LONG) @Handle(value = EVENT_SET, life = CREATE) long set);

  /** Adds the events of a device to a set. */
  @Call(361)
  default int nvmlDeviceRegisterEvents(
      @Handle(DEVICE) long device, long eventTypes, @Handle(EVENT_SET) long set) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The events that it can tell, a mask. */
  @Call(362)
  default int nvmlDeviceGetSupportedEventTypes(
      @Handle(DEVICE) long device, @Out(LONG) long eventTypes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Waits for an event, so many milliseconds at most. */
  @Call(363)
  @Blocking
  default int nvmlEventSetWait_v2(
      @Handle(EVENT_SET) long set, @Out(struct = EventData.class) long event, int timeout) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Ends a set. */
  @Call(364)
  int nvmlEventSetFree(@Handle(value = EVENT_SET, life = DESTROY) long set);
}
