// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;

/** Reads frames until the connection is lost; one thread at a time does. */
final class FrameReader {
  private final Link link;
  private final FrameWriter writer;
  private final ClientThreads threads;
  private final ClientFunctions functions;
  private final PrintStream output;
  private final PrintStream messages;
  private final NativeBuffer header = new NativeBuffer();
  private final NativeBuffer body = new NativeBuffer();
  private final BooleanSupplier awaited;

  FrameReader(
      Link link,
      FrameWriter writer,
      ClientThreads threads,
      ClientFunctions functions,
      PrintStream output,
      PrintStream messages,
      BooleanSupplier awaited) {
    this.link = link;
    this.writer = writer;
    this.threads = threads;
    this.functions = functions;
    this.output = output;
    this.messages = messages;
    this.awaited = awaited;
  }

  /** Takes the next frame; false if the connection is lost. */
  boolean take() {
    boolean taken = false;
    try {
      if (read(header.address(), Frame.HEADER)) {
        frame();
        taken = true;
      }
    } catch (ProtocolException e) {
      link.lose("the backend broke the protocol: " + e.getMessage());
    } finally {
      // After any other failure here nobody may wait for replies, as nobody reads them.
      if (!taken) {
        link.lose("the reader of replies failed");
      }
    }
    if (taken && link.owes()) {
      writer.pong();
    }
    return taken;
  }

  private void frame() {
    int length = Native.getInt(header.address() + Frame.LENGTH);
    if (length < Frame.HEADER || length > Frame.HEADER + Limits.BODY || length % 8 != 0) {
      throw new ProtocolException("a frame has the length " + Integer.toUnsignedString(length));
    }
    int bytes = length - Frame.HEADER;
    int kind = Native.getByte(header.address() + Frame.KIND);
    if (!link.acknowledged(Native.getLong(header.address() + Frame.ACKNOWLEDGED))) {
      throw new ProtocolException("it has what was never sent");
    }
    switch (kind) {
      case Frame.KIND_REPLY -> reply(bytes);
      case Frame.KIND_OUTPUT -> print(output, bytes);
      case Frame.KIND_MESSAGE -> print(messages, bytes);
      case Frame.KIND_CALLBACK -> function(bytes);
      case Frame.KIND_PING -> ping(bytes);
      case Frame.KIND_PONG -> take(bytes);
      case Frame.KIND_GOODBYE -> link.lose("the backend ended the session");
      default -> throw new ProtocolException("a frame has the kind " + kind);
    }
  }

  private void reply(int bytes) {
    int thread = Native.getInt(header.address() + Frame.THREAD);
    ThreadRequest request = threads.find(thread);
    if (request == null || !request.awaits(Native.getLong(header.address() + Frame.SEQUENCE))) {
      throw new ProtocolException("a reply that nobody waits for");
    }
    int result = Native.getInt(header.address() + Frame.RESULT);
    if ((Native.getByte(header.address() + Frame.FLAGS) & Frame.FLAG_MORE) != 0) {
      replyInPart(request, bytes);
      return;
    }
    boolean placed = result == 0 && request.replyPlace() != 0 && !request.isReplyBegun();
    if (placed ? readInPlace(request, bytes) : read(request.replyRoom(bytes), bytes)) {
      request.replied(result, placed ? 0 : bytes);
    }
  }

  /** Nobody asks for more than a frame's body where the part has a place. */
  private void replyInPart(ThreadRequest request, int bytes) {
    if (bytes == 0 || request.replyPlace() != 0) {
      throw new ProtocolException("a reply that goes on");
    }
    if (read(request.replyRoom(bytes), bytes)) {
      request.repliedInPart(bytes);
    }
  }

  /** The only part goes to the caller's memory without a copy; the rest is padding. */
  private boolean readInPlace(ThreadRequest request, int bytes) {
    long part = request.replyPlaceBytes();
    if (bytes != Long.BYTES + Frame.align(part)) {
      throw new ProtocolException("a reply of " + bytes + " bytes with a part of " + part);
    }
    if (!take(Long.BYTES)) {
      return false;
    }
    if (word(0) != part) {
      throw new ProtocolException("a part of a reply has " + word(0) + " bytes, not " + part);
    }
    return read(request.replyPlace(), part) && take(bytes - Long.BYTES - (int) part);
  }

  private void print(PrintStream to, int bytes) {
    int length = Native.getInt(header.address() + Frame.RESULT);
    if (length < 0 || length > bytes) {
      throw new ProtocolException("a text is longer than its frame");
    }
    if (take(bytes)) {
      byte[] text = new byte[length];
      MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_BYTE, body.address(), text, 0, length);
      to.write(text, 0, length);
      to.flush();
    }
  }

  private void function(int bytes) {
    if (bytes != 2 * Long.BYTES) {
      throw new ProtocolException("a function is asked for in " + bytes + " bytes");
    }
    if (take(bytes) && !functions.asked(word(0), word(Long.BYTES))) {
      throw new ProtocolException("a function is asked for that there is not");
    }
  }

  private long word(int at) {
    return Native.getLong(body.address() + at);
  }

  /**
   * Another thread answers: were this one to wait for room to write, and the backend for us to
   * read, both would wait for ever.
   */
  private void ping(int bytes) {
    if (take(bytes)) {
      writer.pong();
    }
  }

  private boolean take(int bytes) {
    body.grow(bytes, 0);
    return read(body.address(), bytes);
  }

  private boolean read(long address, long bytes) {
    return link.read(address, bytes, awaited);
  }
}
