// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import io.outboard.communicator.certificate.TlsServer;
import java.nio.file.attribute.GroupPrincipal;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How to listen.
 *
 * @param insecure allows what other machines can reach without encryption
 * @param tls this side of encrypted connections, where there are to be any
 * @param group whose members may connect to Unix sockets too, where there is one
 * @param told hears why a connection came to nothing before anybody was greeted; from any thread
 */
public record Listening(
    boolean insecure,
    Optional<TlsServer> tls,
    Optional<GroupPrincipal> group,
    Consumer<String> told) {
  /** Nothing is allowed but what needs no permission, and there is no encryption. */
  public static final Listening PLAIN =
      new Listening(false, Optional.empty(), Optional.empty(), _ -> {});
}
