// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.postgres;

import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreLocation;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Properties;

/**
 * A database of PostgreSQL, as {@code postgresql://USER@HOST:PORT/DATABASE?NAME=VALUE}. The driver
 * reads a password from {@code ~/.pgpass}: the words of a command can be seen by others.
 *
 * @param uri where it is
 * @param lost runs once a store that was opened is of no use any more, and nobody has closed it
 */
public record PostgresLocation(URI uri, Runnable lost) implements StoreLocation {
  /** The beginning of the URIs. */
  public static final String SCHEME = "postgresql";

  private static final String SECONDS_TO_CONNECT = "5";
  private static final String SECONDS_TO_ANSWER = "20";

  /**
   * How soon the server, too, sees that a broker's machine is gone, which can say nothing any more:
   * its lock is free then. The usual two hours would leave nodes without a broker.
   */
  private static final String SERVER_LOOKS =
      "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
          + " -c tcp_user_timeout=20000";

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static PostgresLocation parse(String text) {
    try {
      URI uri = new URI(text);
      boolean right =
          SCHEME.equals(uri.getScheme())
              && uri.getHost() != null
              && uri.getPath() != null
              && uri.getPath().length() > 1;
      if (!right) {
        throw new IllegalArgumentException(
            "'" + text + "' is no store: postgresql://USER@HOST:PORT/DATABASE is one");
      }
      if (uri.getUserInfo() != null && uri.getUserInfo().contains(":")) {
        throw new IllegalArgumentException(
            "a password on a command line can be seen by others: ~/.pgpass is its place");
      }
      return new PostgresLocation(uri, () -> {});
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("'" + text + "' is no store: " + e.getMessage(), e);
    }
  }

  /** The same, and something to be done when its store is lost. */
  public PostgresLocation whenLost(Runnable what) {
    return new PostgresLocation(uri, what);
  }

  /** As the driver knows it. */
  String url() {
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return "jdbc:postgresql://"
        + uri.getRawAuthority().replaceFirst(".*@", "")
        + uri.getRawPath()
        + query;
  }

  /** Each side sees within seconds that the other one is gone. */
  Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("ApplicationName", "outboard");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("options", SERVER_LOOKS);
    properties.setProperty("connectTimeout", SECONDS_TO_CONNECT);
    properties.setProperty("socketTimeout", SECONDS_TO_ANSWER);
    Optional.ofNullable(uri.getUserInfo()).ifPresent(user -> properties.setProperty("user", user));
    return properties;
  }

  /** Others may have used it. */
  @Override
  public boolean isUsed() {
    return true;
  }

  @Override
  public Optional<String> obstacle() {
    return Optional.empty();
  }

  @Override
  public LeaseStore open() {
    return PostgresLeaseStore.open(this);
  }
}
