// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.HostConnections;
import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.system.Log;
import io.outboard.communicator.region.GuestRoom;
import io.outboard.wire.Frame;
import io.outboard.wire.Handles;
import io.outboard.wire.Slot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A session as its libraries see it: what its client is and has, and a way to talk to it. */
public final class ClientContext implements SessionContext {
  private final Connection connection;
  private final HandleTable handles;
  private final String devices;
  private final CallLines log;
  // Messages of libraries that are being opened: the client takes frames after the Welcome.
  private final List<String> early = new ArrayList<>();
  private final Map<Class<?>, Object> shared = new ConcurrentHashMap<>();
  private volatile int process;
  private volatile boolean logs;
  private volatile Allotment allotment = Allotment.EVERYTHING;
  private volatile Optional<Slot> slot = Optional.empty();
  private volatile List<JoinedHost> joined = List.of();
  private volatile HostConnections connections;
  private volatile Optional<GuestRoom> room = Optional.empty();
  private volatile boolean nativeCode;
  private volatile boolean welcomed;

  ClientContext(Connection connection, HandleTable handles, String devices) {
    this.connection = connection;
    this.handles = handles;
    this.devices = devices;
    this.log = new CallLines(connection);
  }

  /**
   * Says who the client is, and whether it wants a log of its calls, before libraries are opened.
   */
  public void client(int itsProcess, boolean wantsLog) {
    process = itsProcess;
    logs = wantsLog;
  }

  /** Takes what of the devices the session gets, before libraries are opened; else it is all. */
  public void allot(Allotment part) {
    allotment = part;
  }

  /** Says where device addresses have to lie, before libraries are opened; else anywhere. */
  public void confine(Optional<Slot> range) {
    slot = range;
  }

  /** Permits code for the machine's processors, before libraries are opened; else there is none. */
  public void nativeCode(boolean permitted) {
    nativeCode = permitted;
  }

  /**
   * Takes the other hosts whose devices the session has, before libraries are opened. This one's
   * addresses lie in slot 0 then.
   *
   * @param further makes more connections to them
   */
  public void join(List<JoinedHost> hosts, HostConnections further) {
    joined = hosts;
    connections = further;
    confine(Optional.of(new Slot(0)));
  }

  /** Takes room for page-locked memory, before libraries are opened; else there is none. */
  public void beside(Optional<GuestRoom> given) {
    room = given;
  }

  /** The client takes frames from now on. */
  void welcomed() {
    welcomed = true;
    early.forEach(this::message);
  }

  /** Sends what the log has. */
  void flushLog() throws IOException {
    log.flush();
  }

  @Override
  public <T> T shared(Class<T> type, Supplier<T> make) {
    return type.cast(shared.computeIfAbsent(type, _ -> make.get()));
  }

  @Override
  public Handles handles() {
    return handles;
  }

  @Override
  public long valueAt(int kind, int index) {
    return handles.valueAt(kind, index);
  }

  @Override
  public long handleAt(int kind, int index) {
    return handles.handleAt(kind, index);
  }

  @Override
  public String devices() {
    return devices;
  }

  @Override
  public Allotment allotment() {
    return allotment;
  }

  @Override
  public Optional<Slot> slot() {
    return slot;
  }

  @Override
  public boolean mayRunNativeCode() {
    return nativeCode;
  }

  @Override
  public List<JoinedHost> joined() {
    return joined;
  }

  @Override
  public HostConnections connections() {
    return connections;
  }

  @Override
  public int process() {
    return process;
  }

  @Override
  public boolean logs() {
    return logs;
  }

  @Override
  public void log(byte[] line) {
    try {
      log.add(line);
    } catch (IOException e) {
      Log.debug("a log for a client that has gone: " + e.getMessage());
    }
  }

  @Override
  public int descriptor() {
    return connection.descriptor();
  }

  @Override
  public Optional<GuestRoom> room() {
    return room;
  }

  @Override
  public void output(byte[] text) {
    send(Frame.KIND_OUTPUT, text);
  }

  @Override
  public void error(byte[] text) {
    send(Frame.KIND_MESSAGE, text);
  }

  @Override
  public void message(String line) {
    if (welcomed) {
      send(Frame.KIND_MESSAGE, ("outboard: " + line + "\n").getBytes(UTF_8));
    } else {
      early.add(line);
    }
  }

  private void send(int kind, byte[] text) {
    try {
      connection.text(kind, text);
    } catch (IOException e) {
      Log.debug("text for a client that has gone: " + e.getMessage());
    }
  }
}
