// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/** A node that waits for what is an event's latest recording when its graph is launched. */
final class EventWaitOperation extends Operation {
  private final Event event;

  EventWaitOperation(Event event) {
    this.event = event;
  }

  Event event() {
    return event;
  }

  @Override
  int nodeType() {
    return NodeType.WAIT_EVENT;
  }

  @Override
  Operation launched() {
    return event.waiting();
  }

  /** What is done is what {@link #launched} makes. */
  @Override
  void perform(Context context) {}
}
