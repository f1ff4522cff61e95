// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.stream;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;

/** A node that waits for what is an event's latest recording when its graph is launched. */
public final class EventWaitOperation extends Operation {
  private final Event event;

  public EventWaitOperation(Event event) {
    this.event = event;
  }

  public Event event() {
    return event;
  }

  @Override
  public int nodeType() {
    return NodeType.WAIT_EVENT;
  }

  @Override
  public Operation launched() {
    return event.waiting();
  }

  /** {@link #launched} makes the work. */
  @Override
  public void perform(Context context) {}
}
