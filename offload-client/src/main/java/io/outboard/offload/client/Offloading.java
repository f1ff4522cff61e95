// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import io.outboard.offload.call.Caller;
import io.outboard.offload.call.Choice;
import io.outboard.offload.call.Offloader;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;

/**
 * A backend that runs offloaded methods. It connects when a method is first called, and again after
 * a connection was lost. Closing it ends all calls.
 */
public final class Offloading implements Offloader, AutoCloseable {
  private final Place place;
  private final Secret token;
  private final Code code;
  private final SSLSocketFactory authorities;
  private final Choice choice;
  private final Duration heartbeat;
  private final List<ServiceCaller> callers = new ArrayList<>();

  private Offloading(Builder builder) {
    place = builder.place;
    token = builder.token;
    code = builder.code;
    authorities = builder.authorities;
    choice = builder.choice;
    heartbeat = builder.heartbeat;
  }

  /**
   * Begins with where the backend is: {@code tls://[SHA256@]HOST[:PORT]}, SHA256 being that of its
   * certificate, or {@code tcp://HOST[:PORT]}.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Builder to(String uri) {
    return new Builder(Place.parse(uri));
  }

  /** The settings of one. */
  public static final class Builder {
    private final Place place;
    private Secret token;
    private Code code;
    private SSLSocketFactory authorities = (SSLSocketFactory) SSLSocketFactory.getDefault();
    private Choice choice = (method, size) -> true;

    private Duration heartbeat = Duration.ofSeconds(5);

    private Builder(Place place) {
      this.place = place;
    }

    /** The backend's token, or that of a lease: 64 hexadecimal digits. It never travels. */
    public Builder token(String digits) {
      token = new Secret(digits);
      return this;
    }

    /** The jar with the implementations. */
    public Builder code(Code jar) {
      code = jar;
      return this;
    }

    /** The authorities of the backend's certificate, where none is pinned; else the platform's. */
    public Builder authorities(SSLSocketFactory factory) {
      authorities = factory;
      return this;
    }

    /** Decides where the calls of choosers run; without this all run on the backend. */
    public Builder choice(Choice decides) {
      choice = decides;
      return this;
    }

    /** The time between two questions whether the backend is there; without this five seconds. */
    public Builder heartbeat(Duration period) {
      if (period.toMillis() < 1) {
        throw new IllegalArgumentException("a heartbeat is at least a millisecond: " + period);
      }
      heartbeat = period;
      return this;
    }

    /** Makes it; nothing is connected yet. */
    public Offloading build() {
      if (token == null || code == null) {
        throw new IllegalStateException("a token and the code are wanted");
      }
      return new Offloading(this);
    }
  }

  @Override
  public Caller caller(String name, String digest) {
    ServiceCaller caller = new ServiceCaller(this, name, digest);
    synchronized (callers) {
      callers.add(caller);
    }
    return caller;
  }

  @Override
  public Choice choice() {
    return choice;
  }

  Duration heartbeat() {
    return heartbeat;
  }

  Socket connect() throws IOException {
    return place.connect(authorities);
  }

  int greet(Socket socket, String service, String digest) throws IOException {
    return Opening.open(socket, token, code, service, digest);
  }

  /** Ends the connections; calls that wait have no result. */
  @Override
  public void close() {
    synchronized (callers) {
      callers.forEach(ServiceCaller::close);
    }
  }
}
