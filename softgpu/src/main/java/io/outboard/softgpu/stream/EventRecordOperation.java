// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.stream;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;

/** A node that records an event, anew at each launch of its graph. */
public final class EventRecordOperation extends Operation {
  private final Event event;

  public EventRecordOperation(Event event) {
    this.event = event;
  }

  public Event event() {
    return event;
  }

  @Override
  public int nodeType() {
    return NodeType.EVENT_RECORD;
  }

  @Override
  public Operation launched() {
    return event.ask();
  }

  /** {@link #launched} makes the work. */
  @Override
  public void perform(Context context) {}
}
