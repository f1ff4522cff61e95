// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import java.util.Locale;

/** The medium that carries the calls. */
public enum Medium {
  /** Memory that both sides map. */
  SHM,
  /** A Unix socket alone. */
  UNIX,
  /** TCP on this machine. */
  TCP,
  /** TLS over TCP on this machine, through the companion that encrypts for programs. */
  TLS;

  /** The backend's endpoint on it. */
  public String endpoint(Backend backend) {
    return switch (this) {
      case SHM -> backend.shm();
      case UNIX -> backend.unix();
      case TCP -> backend.tcp();
      case TLS -> backend.tls();
    };
  }

  /**
   * The medium beneath it, for a ping-pong, so that the cost of encryption counts as Outboard's.
   */
  String pingPong() {
    return (this == TLS ? TCP : this).toString();
  }

  /** As the C programs name it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
