// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.wire.Dispatcher;
import io.outboard.wire.Frame;
import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

/** One client's session in a worker: reads its frames, runs its calls, answers. */
final class WorkerSession implements SessionContext {
  private final Connection connection;
  private final HandleTable handles;
  private final ClientCallbacks callbacks;
  private final SharedPage page;
  private final String devices;
  private final Payloads payloads = new Payloads();
  private final Leadership leadership = new Leadership(this::startThread);
  private final AtomicIntegerArray latched = new AtomicIntegerArray(Limits.LANES);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicReference<String> cause = new AtomicReference<>();
  private LibraryInstance[] libraries = new LibraryInstance[0];

  /** Prepares a session; {@code tag} are the bits of it that handles carry. */
  WorkerSession(int descriptor, int tag, String devices, SharedPage page) {
    this.connection = new Connection(descriptor);
    this.handles = new HandleTable(tag);
    this.callbacks = new ClientCallbacks(connection);
    this.devices = devices;
    this.page = page;
  }

  /** The libraries by number in frames, null where there is none. */
  void serve(List<LibraryInstance> byNumber) {
    libraries = byNumber.toArray(new LibraryInstance[0]);
    startThread();
  }

  /** Waits for the session's end and returns its cause. */
  String await() throws InterruptedException {
    ended.await();
    return cause.get();
  }

  private void startThread() {
    Thread.ofPlatform().name("session").daemon(true).start(this::run);
  }

  private void run() {
    CallFrame call = new CallFrame(handles, callbacks);
    try {
      while (leadership.take()) {
        lead(call);
      }
    } catch (IOException e) {
      end(e.getMessage());
    } catch (ProtocolException e) {
      end("the client broke the protocol: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      Log.warn("a worker failed: " + e);
      e.printStackTrace();
      end("internal error: " + e);
    } finally {
      call.close();
    }
  }

  /** Leads until a call that may wait; that one runs after the lead has been passed on. */
  private void lead(CallFrame call) throws IOException {
    while (true) {
      long frame = connection.next();
      int kind = Native.getByte(frame + Frame.KIND);
      if (kind != Frame.KIND_CALL) {
        other(kind, frame);
        continue;
      }
      call.take(frame);
      page.countCall(call.bodyBytes);
      LibraryInstance library = library(call.library);
      int answering =
          library == null ? Dispatcher.UNKNOWN : library.dispatcher().answering(call.number);
      if (answering == Dispatcher.BLOCKING || (call.flags & Frame.FLAG_PAYLOAD) != 0) {
        runOffLane(call, library);
        return;
      }
      finish(call, issue(call, library, answering));
    }
  }

  private void runOffLane(CallFrame call, LibraryInstance library) throws IOException {
    call.keepBody();
    Payloads.Payload payload = takePayload(call);
    leadership.give();
    try {
      finish(call, issue(call, library, Dispatcher.BLOCKING));
    } finally {
      if (payload != null) {
        payload.close();
      }
    }
  }

  private Payloads.Payload takePayload(CallFrame call) {
    if ((call.flags & Frame.FLAG_PAYLOAD) == 0) {
      return null;
    }
    Payloads.Payload payload = payloads.take(call.thread);
    if (payload == null) {
      throw new ProtocolException("a call without its payload");
    }
    call.payload = payload.address();
    call.payloadBytes = payload.bytes();
    return payload;
  }

  private LibraryInstance library(int number) {
    return number >= 0 && number < libraries.length ? libraries[number] : null;
  }

  private int issue(CallFrame call, LibraryInstance library, int answering) {
    if (library == null) {
      throw new ProtocolException(
          "a call of library " + call.library + ", which the greeting did not name");
    }
    if (answering == Dispatcher.UNKNOWN) {
      return library.dispatcher().notSupported();
    }
    library.enter(call.lane, call.thread);
    return library.dispatcher().dispatch(call.number, call);
  }

  /** Answers; or keeps a posted call's error for the lane's next answer. */
  private void finish(CallFrame call, int result) throws IOException {
    if (!call.answered()) {
      if (result != 0) {
        latched.compareAndSet(call.lane, 0, result);
      }
      return;
    }
    int reported = result;
    if (result == 0 && call.lane != 0 && latched.get(call.lane) != 0) {
      reported = latched.getAndSet(call.lane, 0);
    }
    if (reported != 0) {
      call.answered(0);
    }
    connection.write(call.reply(reported), call.replyLength());
    page.countAnswer(call.replyLength());
  }

  private void other(int kind, long frame) throws IOException {
    switch (kind) {
      case Frame.KIND_PAYLOAD -> payloads.add(frame);
      case Frame.KIND_PING -> connection.send(Frame.KIND_PONG, new byte[0]);
      case Frame.KIND_PONG -> {}
      case Frame.KIND_CALLBACK_DONE -> callbacks.done(frame);
      case Frame.KIND_THREAD_END -> threadEnded(Native.getInt(frame + Frame.THREAD));
      case Frame.KIND_GOODBYE -> throw new IOException("the client said goodbye");
      default -> throw new ProtocolException("a frame of kind " + kind);
    }
  }

  private void threadEnded(int thread) {
    for (LibraryInstance library : libraries) {
      if (library != null) {
        library.threadEnded(thread);
      }
    }
  }

  /** Ends the session; the first cause counts. */
  void end(String why) {
    if (cause.compareAndSet(null, why)) {
      leadership.close();
      callbacks.close();
      ended.countDown();
    }
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
  public String devices() {
    return devices;
  }

  @Override
  public void output(String text) {
    send(Frame.KIND_OUTPUT, text);
  }

  @Override
  public void message(String line) {
    send(Frame.KIND_MESSAGE, "outboard: " + line + "\n");
  }

  private void send(int kind, String text) {
    try {
      connection.text(kind, text);
    } catch (IOException e) {
      Log.debug("text for a client that has gone: " + e.getMessage());
    }
  }
}
