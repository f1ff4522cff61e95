// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.offload.client.Code;
import io.outboard.offload.client.Offloading;
import io.outboard.offload.service.Dispatcher;
import io.outboard.wire.Bytes;
import io.outboard.wire.CodeAnswer;
import io.outboard.wire.CodeRequest;
import io.outboard.wire.Message;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Serves sessions of code in this process, over TCP, as a daemon and its workers do. */
final class CodeServer implements AutoCloseable {
  private static final int TIMEOUT_MS = 60_000;
  private static final String DIGEST = "0".repeat(64);

  private final Token token = Token.random();
  private final Listener listener;
  private final Dispatcher dispatcher;
  private final int callSeconds;
  // Threads of sessions that are over may still write there, so that it stays.
  private final CallsPage calls = CallsPage.create();
  private volatile boolean silent;
  private volatile Optional<String> spoilt = Optional.empty();
  private final Queue<Integer> clients = new ConcurrentLinkedQueue<>();
  private final Queue<String> ends = new ConcurrentLinkedQueue<>();

  CodeServer(Dispatcher dispatcher, int callSeconds) throws IOException {
    this.dispatcher = dispatcher;
    this.callSeconds = callSeconds;
    Endpoint endpoint = Endpoint.parse("tcp://127.0.0.1:0");
    listener = Communicator.of(endpoint).listen(endpoint, Listening.PLAIN);
    Thread.ofPlatform().daemon(true).start(this::accept);
  }

  Offloading.Builder client() {
    return Offloading.to(listener.endpoint().toString())
        .token(token.digits())
        .code(Code.installed(DIGEST));
  }

  private void accept() {
    try {
      for (int client = listener.accept(); client != Listener.CLOSED; client = listener.accept()) {
        int its = client;
        Thread.ofPlatform().daemon(true).start(() -> serve(its));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void serve(int client) {
    clients.add(client);
    try {
      Greeted greeted =
          GreetingServer.receive(
              client, _ -> Claim.proving(token, new Peer.Operator()), TIMEOUT_MS);
      Bytes nothing = Bytes.zero(Message.IDENTITY);
      GreetingServer.welcome(
          client, new Welcome(1, nothing, nothing, greeted.serverProof(), List.of()));
      MessageStream messages = new MessageStream(client, TIMEOUT_MS);
      CodeRequest unused = CodeRequest.decode(messages.receive());
      messages.send(new CodeAnswer(CodeAnswer.OPENED, CodeSession.CALLS).encode());
      if (silent) {
        return;
      }
      ends.add(
          new CodeSession(new SocketStream(client), dispatcher, calls, callSeconds, () -> spoilt)
              .serve());
    } catch (IOException e) {
      ends.add(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** So many calls run in workers of others. */
  void others(int running) {
    calls.others(running);
  }

  /** Sessions that are opened from here on hear nothing more. */
  void fallSilent() {
    silent = true;
  }

  /** Each session ends after a call that has failed. */
  void spoil(String why) {
    spoilt = Optional.of(why);
  }

  /** Why sessions have ended, in that order. */
  Queue<String> ends() {
    return ends;
  }

  /** Cuts all connections. */
  void cut() {
    clients.forEach(client -> Sockets.shutdown(client, Sockets.SHUT_RDWR));
  }

  @Override
  public void close() throws IOException {
    // Threads of sessions may still shut their sockets down, so that the numbers stay taken.
    cut();
    listener.close();
  }
}
