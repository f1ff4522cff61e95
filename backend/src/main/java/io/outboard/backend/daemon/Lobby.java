// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.communicator.Origin;
import java.util.Optional;

/**
 * Bounds the connections that are being greeted: a connection has a place here until it is known
 * who is at its other end, and no longer. The backend's own user and root, members of the socket's
 * group, and other peers have places of their own, so that none of these keeps another from being
 * greeted.
 */
final class Lobby implements AutoCloseable {
  private static final int OF_ONE_USER = 128;
  private static final int OF_ALL_MEMBERS = 512;
  private static final int OF_ONE_ADDRESS = 64;
  private static final int OF_ALL_ADDRESSES = 512;

  private final Places owners = new Places(OF_ONE_USER, 2 * OF_ONE_USER);
  private final Places members = new Places(OF_ONE_USER, OF_ALL_MEMBERS);
  private final Places others = new Places(OF_ONE_ADDRESS, OF_ALL_ADDRESSES);

  /** A place for a connection that is to be greeted; none once this is closed. */
  Optional<Places.Place> enter(Origin origin, int connection) {
    return places(origin).await(origin, connection);
  }

  private Places places(Origin origin) {
    return switch (origin) {
      case Origin.Owner _ -> owners;
      case Origin.Member _ -> members;
      case Origin.Remote _ -> others;
    };
  }

  @Override
  public void close() {
    owners.close();
    members.close();
    others.close();
  }
}
