// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import io.outboard.wire.Bytes;

/**
 * The peer of a connection. The greeting decides it, once; the peer's rights follow from this value
 * alone, so nothing that is looked up later can make more of it.
 */
public sealed interface Peer {
  /** Somebody who may open a session. */
  sealed interface Principal extends Peer {}

  /** Somebody who may open a control connection too. */
  sealed interface Controller extends Principal {}

  /** The backend's operator: its own user, root, or a holder of the backend's token. */
  record Operator() implements Controller {}

  /**
   * A member of the socket's group.
   *
   * @param user its number
   * @param name its name, which is also that of its tenant
   */
  record Member(int user, String name) implements Controller {}

  /**
   * A holder of a lease's token.
   *
   * @param lease by which the lease is named
   * @param epoch of the grant that the token is of
   * @param tenant on whose account the lease is
   */
  record Holder(String lease, long epoch, String tenant) implements Principal {}

  /** The backend's own process, which asks which devices there are before it serves anybody. */
  record Itself() implements Principal {}

  /**
   * A further connection of a session.
   *
   * @param session its identity
   */
  record Further(Bytes session) implements Peer {}

  /**
   * The client of a session, which tells of a link to another host.
   *
   * @param session its identity
   */
  record Linking(Bytes session) implements Peer {}

  /**
   * The other host of a link.
   *
   * @param key the name of the link's key
   */
  record Linked(Bytes key) implements Peer {}

  /**
   * The client of a session that has lost its connection, over another one.
   *
   * @param session its identity
   */
  record Returning(Bytes session) implements Peer {}
}
