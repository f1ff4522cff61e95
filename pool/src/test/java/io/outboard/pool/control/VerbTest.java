// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.Parameter;
import io.outboard.lease.Permitted;
import io.outboard.lease.testkit.Sample;
import io.outboard.pool.broker.BrokerCase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every parameter of every verb gets the ends of its range, and what is beyond them. */
final class VerbTest extends BrokerCase {
  private static final List<String> NUMBERS =
      List.of(
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808",
          "9300000000000000",
          "2147483648",
          "-1",
          "0",
          "-0",
          "1e3",
          "1.5",
          " 1",
          "\u0661",
          "x");

  VerbTest() {
    super(Sample.gpus(2));
  }

  private static List<String> values(Permitted permitted) {
    List<String> values = new ArrayList<>(List.of("", "\u0000", "a b", "%&=\n", "x".repeat(300)));
    switch (permitted) {
      case Permitted.Whole(long least, long most) -> {
        values.addAll(NUMBERS);
        values.addAll(List.of("" + least, "" + most, "" + (least - 1), "" + (most + 1)));
      }
      case Permitted.Text text -> values.add("y".repeat(text.longest()));
      case Permitted.Choice choice -> values.addAll(choice.words());
    }
    return values;
  }

  private Form usual(Verb verb, String lease) {
    return switch (verb) {
      case LEASE -> new Form().with("seconds", 60).with("tenant", "a");
      case RENEW -> new Form().with("id", lease).with("seconds", 60);
      case TOKEN_CREATE -> new Form().with("role", "user").with("tenant", "a").with("seconds", 9);
      case TENANT_SET -> new Form().with("name", "a");
      default ->
          verb.parameters().contains(Parameter.ID) ? new Form().with("id", lease) : new Form();
    };
  }

  /** Whatever one request says, it is answered, and the next one of somebody else is granted. */
  @Test
  void noValueStopsThePool() throws Exception {
    for (Verb verb : Verb.values()) {
      for (Parameter parameter : verb.parameters()) {
        for (String value : values(parameter.permitted())) {
          Lease lease = broker.request(Sample.whole("bystander", 1));
          ask(verb, usual(verb, lease.id()).with(parameter.label(), value));
          broker.tick();
        }
        endAll();
        assertEquals(LeaseState.GRANTED, broker.request(Sample.whole("bystander", 2)).state());
        endAll();
      }
    }
    restart();
    assertEquals(LeaseState.GRANTED, broker.request(Sample.whole("bystander", 2)).state());
  }

  private void ask(Verb verb, Form form) {
    ControlCommands operator = new ControlCommands(broker);
    for (boolean member : List.of(true, false)) {
      try {
        List<Form> unused =
            member
                ? new MemberCommands(operator, "a").rows(verb.label(), form)
                : operator.rows(verb.label(), form);
      } catch (IllegalArgumentException | LeaseException e) {
        // It is told.
      }
    }
  }

  /** A device that is out for maintenance is out until it is back: that is what was asked for. */
  private void endAll() throws LeaseException {
    for (Gpu gpu : gpus) {
      broker.uncordon(gpu.uuid());
    }
    for (Lease lease : broker.alive()) {
      broker.end(lease.id(), LeaseState.REVOKED, "");
    }
  }

  @Test
  void whatAVerbDoesNotTakeIsRefused() {
    ControlCommands operator = new ControlCommands(broker);
    Form form = new Form().with("seconds", 60).with("second", 60);
    assertThrows(IllegalArgumentException.class, () -> operator.rows("lease", form));
    assertEquals(List.of(), broker.alive());
  }

  @Test
  void aRenewalIsDoneAsAWholeOrNotAtAll() throws Exception {
    ControlCommands operator = new ControlCommands(broker);
    operator.rows("tenant-set", new Form().with("name", "a").with("budget", 100));
    Form lease =
        operator
            .rows("lease", new Form().with("tenant", "a").with("seconds", 60).with("share", 500))
            .getFirst();
    Form more = new Form().with("id", lease.get("id")).with("share", 600).with("seconds", 3600);
    assertThrows(LeaseException.class, () -> operator.rows("renew", more));
    assertEquals(500, broker.find(lease.get("id")).request().share());
  }
}
