// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.notice;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.office.rest.Fields;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One of Nova's versioned notifications: something has been done to a machine.
 *
 * @param event as {@code instance.delete.end} (Nova, "Versioned notifications")
 * @param machine its UUID
 */
public record Notice(String event, String machine) {
  /** Steps that are not over yet say nothing that holds. */
  private static final Pattern DONE = Pattern.compile("instance\\.[a-z_]+\\.end");

  /**
   * Reads the body of a message: oslo.messaging's envelope, with the notification as a text in it.
   * Empty for what is none, or of no machine.
   */
  public static Optional<Notice> read(byte[] body) {
    try {
      Fields envelope = Fields.read(new String(body, UTF_8));
      return of(Fields.read(envelope.text("oslo.message")));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<Notice> of(Fields message) {
    Fields payload = message.object("payload");
    String event = message.text("event_type");
    String machine = payload.object("nova_object.data").uuid("uuid");
    boolean wanted =
        DONE.matcher(event).matches()
            && payload.text("nova_object.namespace").equals("nova")
            && !machine.isEmpty();
    return wanted ? Optional.of(new Notice(event, machine)) : Optional.empty();
  }
}
