// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/** A node that records an event, anew at each launch of its graph. */
final class EventRecordOperation extends Operation {
  private final Event event;

  EventRecordOperation(Event event) {
    this.event = event;
  }

  Event event() {
    return event;
  }

  @Override
  int nodeType() {
    return NodeType.EVENT_RECORD;
  }

  @Override
  Operation launched() {
    return event.ask();
  }

  /** What is done is what {@link #launched} makes. */
  @Override
  void perform(Context context) {}
}
