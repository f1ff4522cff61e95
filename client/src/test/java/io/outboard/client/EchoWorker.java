// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.Listener;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Posix;
import io.outboard.patience.Patience;
import io.outboard.wire.Bytes;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Message;
import io.outboard.wire.Native;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** A backend for one client that speaks frames and nothing else; the call's number says what. */
final class EchoWorker implements Runnable {
  /** Answers with the request's body. */
  static final int ECHO = 1;

  /** Answers with result 7 and no body. */
  static final int FAIL = 2;

  /** Ends the connection. */
  static final int DIE = 3;

  /** Prints, asks whether the client is there, and answers when it is. */
  static final int PRINT = 4;

  /** Answers with the sum of the payload's bytes, how many there are, and the padding's. */
  static final int SUM = 5;

  /** Does not answer. */
  static final int IGNORE = 6;

  /** Sends the request's body as if it were frames. */
  static final int SAY = 7;

  /** Answers with the request's header. */
  static final int HEADER = 8;

  /** Ends the session in good order. */
  static final int GOODBYE = 9;

  /** The same, then ends the connection. */
  static final int SAY_AND_DIE = 10;

  /** A frame as it came. */
  record Received(int kind, int flags, int thread, long sequence, int bytes) {}

  private final Listener listener;
  private final Token token;
  private final BlockingQueue<Received> frames = new LinkedBlockingQueue<>();
  private final Thread thread = Thread.ofPlatform().daemon().unstarted(this);
  private final Arena arena = Arena.ofShared();
  private final long in = arena.allocate(Frame.HEADER + (long) Limits.BODY, 8).address();
  private final long out = arena.allocate(4096, 8).address();
  private final Semaphore reading = new Semaphore(1);
  private volatile Greeted greeted;
  private volatile int connection;
  private long payloadSum;
  private long payloadBytes;
  private long payloadPadding;

  EchoWorker(Listener listener, Token token) {
    this.listener = listener;
    this.token = token;
    thread.start();
  }

  /** The words of the client. */
  Greeted greeted() {
    return greeted;
  }

  /** The frames that came. */
  BlockingQueue<Received> frames() {
    return frames;
  }

  /** Reads no frame from the next on, until {@link #goOn}. */
  void pause() {
    reading.acquireUninterruptibly();
  }

  /** Waits until there is something that it does not read. */
  void awaitUnread() {
    int ready = Posix.poll(connection, Posix.POLLIN, Patience.milliseconds());
    if (ready != Posix.POLLIN) {
      throw new AssertionError("nothing comes: " + ready);
    }
  }

  void goOn() {
    reading.release();
  }

  /** The Welcome of a backend without libraries. */
  static byte[] welcome(Bytes proof) {
    Bytes identity = Bytes.random(Message.IDENTITY);
    return new Welcome(1, identity, Bytes.random(Message.IDENTITY), proof, List.of()).encode();
  }

  @Override
  public void run() {
    try {
      connection = listener.accept();
      // So that whoever asks why the session has ended is turned away at once.
      listener.close();
      greeted = GreetingServer.receive(connection, _ -> claim(), 10_000);
      write(MemorySegment.ofArray(welcome(greeted.serverProof())));
      while (frame()) {}
    } catch (IOException e) {
      // A client that was turned away; the test looks at what the client saw.
      return;
    } finally {
      Posix.close(connection);
    }
  }

  private Claim claim() {
    Peer operator = new Peer.Operator();
    return listener.vouched(connection) ? Claim.vouched(operator) : Claim.proving(token, operator);
  }

  private boolean frame() {
    if (!read(in, Frame.HEADER)) {
      return false;
    }
    int bytes = Native.getInt(in) - Frame.HEADER;
    int kind = Native.getByte(in + Frame.KIND);
    reading.acquireUninterruptibly();
    reading.release();
    read(in + Frame.HEADER, bytes);
    frames.add(
        new Received(
            kind,
            Native.getByte(in + Frame.FLAGS),
            Native.getInt(in + Frame.THREAD),
            Native.getLong(in + Frame.SEQUENCE),
            bytes));
    return switch (kind) {
      case Frame.KIND_CALL -> call(Native.getShort(in + Frame.CALL), bytes);
      case Frame.KIND_PAYLOAD -> payload(bytes);
      default -> kind != Frame.KIND_GOODBYE;
    };
  }

  private boolean call(int number, int bytes) {
    if ((Native.getByte(in + Frame.FLAGS) & Frame.FLAG_ANSWER) == 0) {
      return true;
    }
    switch (number) {
      case ECHO -> reply(0, in + Frame.HEADER, bytes);
      case FAIL -> reply(7, 0, 0);
      case PRINT -> print();
      case SUM -> sum();
      case SAY, SAY_AND_DIE -> write(in + Frame.HEADER, bytes);
      case HEADER -> {
        Native.copy(in, out + 64, Frame.HEADER);
        reply(0, out + 64, Frame.HEADER);
      }
      case GOODBYE -> say(Frame.KIND_GOODBYE, 0, 0);
      default -> {}
    }
    return number != DIE && number != SAY_AND_DIE;
  }

  private boolean payload(int padded) {
    int bytes = Native.getInt(in + Frame.RESULT);
    payloadPadding += padded - bytes;
    for (int i = 0; i < bytes; i++) {
      payloadSum += Byte.toUnsignedInt(Native.getByte(in + Frame.HEADER + i));
    }
    payloadBytes += bytes;
    return true;
  }

  private void sum() {
    Native.putLong(out + 64, payloadSum);
    Native.putLong(out + 72, payloadBytes);
    Native.putLong(out + 80, payloadPadding);
    reply(0, out + 64, 24);
    payloadSum = 0;
    payloadBytes = 0;
  }

  private void print() {
    byte[] text = "hello, kernel\n".getBytes(StandardCharsets.UTF_8);
    Native.putLong(out + 72, 0);
    MemorySegment.copy(text, 0, Native.MEMORY, ValueLayout.JAVA_BYTE, out + 64, text.length);
    say(Frame.KIND_OUTPUT, out + 64, text.length);
    Native.copy(in, out + 128, Frame.HEADER);
    say(Frame.KIND_PING, 0, 0);
    frame();
    Native.copy(out + 128, in, Frame.HEADER);
    reply(0, 0, 0);
  }

  private void reply(int result, long body, int bytes) {
    long sequence = Native.getLong(in + Frame.SEQUENCE);
    int thread = Native.getInt(in + Frame.THREAD);
    Native.fill(out, Frame.HEADER, (byte) 0);
    Native.putInt(out + Frame.THREAD, thread);
    Native.putInt(out + Frame.RESULT, result);
    Native.putLong(out + Frame.SEQUENCE, sequence);
    frame(Frame.KIND_REPLY, body, bytes);
  }

  private void say(int kind, long text, int bytes) {
    Native.fill(out, Frame.HEADER, (byte) 0);
    Native.putInt(out + Frame.RESULT, bytes);
    frame(kind, text, (int) Frame.align(bytes));
  }

  private void frame(int kind, long body, int bytes) {
    Native.putInt(out, Frame.HEADER + bytes);
    Native.putByte(out + Frame.KIND, (byte) kind);
    write(out, Frame.HEADER);
    write(body, bytes);
  }

  private void write(MemorySegment bytes) {
    try (Arena room = Arena.ofConfined()) {
      write(room.allocate(bytes.byteSize()).copyFrom(bytes).address(), bytes.byteSize());
    }
  }

  private void write(long address, long bytes) {
    for (long done = 0; done < bytes; ) {
      long written = Posix.write(connection, address + done, bytes - done);
      if (written < 0) {
        return;
      }
      done += written;
    }
  }

  private boolean read(long address, long bytes) {
    for (long done = 0; done < bytes; ) {
      long got = Posix.read(connection, address + done, bytes - done);
      if (got <= 0) {
        return false;
      }
      done += got;
    }
    return true;
  }

  /** Ends it, once its client has gone. */
  void stop() throws InterruptedException {
    listener.close();
    Patience.join(thread);
    arena.close();
  }
}
