// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Library;

/** The operations that generated dispatchers and clients have in common. */
public final class JavaBodies implements Emitter {
  @Override
  public String emit(Library library) {
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        import io.outboard.wire.Call;
        import io.outboard.wire.Caller;
        import io.outboard.wire.Frame;
        import io.outboard.wire.Limits;
        import io.outboard.wire.Native;
        import io.outboard.wire.ProtocolException;

        /**
        * Lengths and variable parts of bodies. A length is negative where it is out of range, and stays so in every
        * operation.
        */
        %2$s
        final class %1$sBodies {
        private static final int WORD = 8;

        /** Set in an offset, a multiple of 8, once the call's payload belongs to a part: no second part may share it. */
        private static final int PAYLOAD_TAKEN = 1;

        private %1$sBodies() {}
        """,
        library.interfaceName(), Notice.annotation(library));
    return code.add(
            """

            static long plus(long left, long right) {
            return left < 0 || right < 0 || left + right < 0 ? -1 : left + right;
            }

            static long minus(long left, long right) {
            return left < 0 || right < 0 ? -1 : left - right;
            }

            static long times(long left, long right) {
            if (left < 0 || right < 0 || Math.multiplyHigh(left, right) != 0 || left * right < 0) {
            return -1;
            }
            return left * right;
            }

            /** Size of a variable part of so many bytes. */
            static long part(long bytes) {
            return bytes < 0 || bytes > Limits.REPLY ? -1 : WORD + Frame.align(bytes);
            }

            /** Checks that the request has its fixed part. */
            static void fixed(Call call, int bytes) {
            if (call.bodyBytes() < bytes) {
            throw new ProtocolException("the body is shorter than its fixed part");
            }
            }

            /** Checks that no unknown pointer is said to be there and no required one is missing. */
            static void presence(long presence, long known, long required) {
            if ((presence & ~known) != 0 || (presence & required) != required) {
            throw new ProtocolException("the presence mask does not fit the call");
            }
            }

            /** Checks that the request ends here. */
            static void end(Call call, int at) {
            if (call.bodyBytes() != (at & -WORD)) {
            throw new ProtocolException("the body goes on after its last part");
            }
            }

            /** The length word of the variable part at {@code at}. */
            static long word(Call call, int at) {
            int from = at & -WORD;
            if (call.bodyBytes() - from < WORD) {
            throw new ProtocolException("the body ends before its last part");
            }
            return Native.getLong(call.body() + from);
            }

            /** Number of bytes that a length word says. */
            static long bytes(long word) {
            return word & Long.MAX_VALUE;
            }

            /** Address of the variable part's bytes, of which there must be {@code expected} ones. */
            static long data(Call call, int at, long word, long expected) {
            long bytes = bytes(word);
            if (bytes != expected) {
            throw new ProtocolException("a part is not as long as the arguments say");
            }
            if (word < 0) {
            boolean free = (at & PAYLOAD_TAKEN) == 0;
            if (!free || call.payload() == 0 || call.payloadBytes() != bytes) {
            throw new ProtocolException("there is no payload as long as the part says");
            }
            return call.payload();
            }
            int from = (at & -WORD) + WORD;
            if (bytes > Limits.BODY || Frame.align(bytes) > call.bodyBytes() - from) {
            throw new ProtocolException("a part is longer than the body");
            }
            return call.body() + from;
            }

            /** Address of the variable part's text, which must end with NUL. */
            static long text(Call call, int at, long word) {
            long bytes = bytes(word);
            long address = data(call, at, word, bytes);
            if (bytes == 0 || Native.getByte(address + bytes - 1) != 0) {
            throw new ProtocolException("a text does not end");
            }
            return address;
            }

            /** Where the part after this one begins. */
            static int after(int at, long word) {
            return word < 0 ? at + WORD | PAYLOAD_TAKEN : at + WORD + (int) Frame.align(word);
            }

            /** Checks the size of a reply. */
            static int reply(long bytes) {
            if (bytes < 0 || bytes > Limits.REPLY) {
            throw new ProtocolException("the reply would be too long");
            }
            return (int) bytes;
            }

            /** Bytes of a text with its NUL, at most {@code room}. */
            static long textBytes(long address, long room) {
            long bytes = 0;
            while (bytes < room && Native.getByte(address + bytes) != 0) {
            bytes++;
            }
            return Math.min(bytes + 1, room);
            }

            /** Where the reply's part after the one at {@code at} begins, −1 where that is not there with such a length. */
            static int past(Caller.Request request, int at, long bytes, boolean text) {
            return Caller.past(request.reply(), request.replyBytes(), at, bytes, text);
            }

            /** A number of elements in the reply's fixed part, of 4 or 8 bytes; one that is negative is too large. */
            static long number(Caller.Request request, int at, int bytes) {
            long number = bytes == Integer.BYTES ? Native.getInt(request.reply() + at) : Native.getLong(request.reply() + at);
            return number < 0 ? Long.MAX_VALUE : number;
            }

            /** Copies the reply's variable part at {@code at}; returns where the next begins. */
            static int take(Caller.Request request, int at, long to) {
            return Caller.take(request.reply(), at, to);
            }
            }
            """)
        .toString();
  }
}
