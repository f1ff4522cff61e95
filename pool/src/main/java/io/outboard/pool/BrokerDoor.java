// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import io.outboard.backend.supervision.Admission;
import io.outboard.backend.supervision.Admitted;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.wire.Hello;
import io.outboard.wire.Refusal;
import java.io.IOException;
import java.util.Optional;

/** The door of a broker: it answers questions, and no program gets in, as the nodes serve these. */
public final class BrokerDoor implements Admission {
  private static final Refusal ELSEWHERE =
      new Refusal(
          Refusal.LEASE,
          "this is a broker, which serves no program: 'outboard lease' names the node that does");

  private final Pool pool;

  public BrokerDoor(Pool pool) {
    this.pool = pool;
  }

  @Override
  public Optional<Refusal> obstacle(Peer.Principal who) {
    return Optional.of(ELSEWHERE);
  }

  @Override
  public Admitted admit(Hello client, Peer.Principal who) throws RefusedException {
    throw new RefusedException(ELSEWHERE);
  }

  @Override
  public void answer(String request, Peer.Controller who, ControlStream to) throws IOException {
    pool.answer(request, who, to);
  }

  @Override
  public void close() {
    pool.close();
  }
}
