// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import io.outboard.communicator.region.SharedMemory;
import io.outboard.plugin.Offers;
import io.outboard.wire.RegionOffer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Makes connections: reliable byte streams that are descriptors of the operating system. A plug-in
 * offers one as a service (a {@code META-INF/services} entry in its jar).
 */
public interface Communicator {
  /** The scheme of the endpoints that this one serves. */
  String scheme();

  /** Its capabilities; always the same. */
  Capabilities capabilities();

  /** Whether an endpoint's transport says who a client is, so that it needs no token. */
  static boolean vouches(Endpoint endpoint) {
    return of(endpoint).capabilities().has(Capability.VOUCHING);
  }

  /**
   * Checks what can be told about waiting for clients at an endpoint before it is done.
   *
   * @throws IOException if that will not be permitted; the message says why and names the endpoint
   */
  default void check(Endpoint endpoint, Listening how) throws IOException {}

  /**
   * Waits for clients at an endpoint.
   *
   * @throws IOException if that is not possible, or the endpoint is not one of this scheme; the
   *     message says why and names the endpoint
   */
  Listener listen(Endpoint endpoint, Listening how) throws IOException;

  /**
   * Connects to a backend.
   *
   * @return the connection's descriptor, which the caller closes
   * @throws IOException if nobody answers, or the endpoint is not one of this scheme; the message
   *     says why and names the endpoint
   */
  int connect(Endpoint endpoint) throws IOException;

  /**
   * Makes the memory that both sides of a connection map; for one with {@link Capability#REGIONS}.
   * Here it is a file whose descriptor the client is passed. A communicator without {@link
   * Capability#DESCRIPTORS} has memory of its own, which the client finds by itself, and may have
   * its own doorbells.
   *
   * @param connection the client's
   */
  default SharedMemory region(int connection, RegionOffer offer) throws IOException {
    return SharedMemory.create(offer);
  }

  /**
   * The same within so many milliseconds, where that can take long.
   *
   * @throws IOException as above, or if it takes longer
   */
  default int connect(Endpoint endpoint, int milliseconds) throws IOException {
    return connect(endpoint);
  }

  /**
   * The same as a client with these variables instead of the process's own, where they say whom it
   * trusts and who it is.
   *
   * @throws IOException as above
   */
  default int connect(Endpoint endpoint, Map<String, String> environment) throws IOException {
    return connect(endpoint);
  }

  /**
   * Returns the communicator of an endpoint's scheme.
   *
   * @throws IllegalArgumentException if there is none; the message names those that there are
   */
  static Communicator of(Endpoint endpoint) {
    List<Communicator> all = offers().services();
    return ofScheme(endpoint.scheme())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + endpoint
                        + "': no communicator for this scheme; there are "
                        + names(all)
                        + "; of xen:DOMID, 'outboard-connect' prints what to name instead"));
  }

  /** The communicator of a scheme, if there is one. */
  static Optional<Communicator> ofScheme(String scheme) {
    return offers().services().stream().filter(one -> one.scheme().equals(scheme)).findFirst();
  }

  /** All communicators that there are. */
  static Offers<Communicator> offers() {
    return Offers.of(Communicator.class, one -> List.of("the scheme " + one.scheme()));
  }

  private static String names(List<Communicator> all) {
    return all.stream().map(Communicator::scheme).sorted().collect(Collectors.joining(", "));
  }
}
