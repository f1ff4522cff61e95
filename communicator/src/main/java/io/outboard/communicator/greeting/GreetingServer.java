// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.region.SharedMemory;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Bytes;
import io.outboard.wire.Challenge;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Proof;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Refusal;
import io.outboard.wire.RegionAnswer;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** A backend's side of the greeting, up to the Welcome, which the worker sends. */
public final class GreetingServer {
  /** How long a client may take in all, in milliseconds. */
  public static final int TIMEOUT_MS = 5_000;

  /** The answer to a peer whose token admits nobody. */
  public static final Refusal WRONG_TOKEN =
      new Refusal(
          Refusal.TOKEN,
          "the token is not this backend's; OUTBOARD_TOKEN wants the 64 digits in the file that"
              + " 'outboard serve' names, or those of a lease");

  /** The answer to a peer that names a session which is not there, or is another's. */
  public static final Refusal NO_SESSION = new Refusal(Refusal.SESSION, "there is no such session");

  private GreetingServer() {}

  /**
   * Receives a client's Hello and, where nobody vouches for it, its proof of the token. A client
   * that is turned away has been told why. The descriptor stays open, and nothing is read beyond
   * the messages.
   *
   * @param claims says who the client is, and which token it has to prove
   * @param timeoutMs in all; see {@link #TIMEOUT_MS}
   * @throws RefusedException if the client is turned away
   * @throws IOException if it goes or takes too long
   */
  public static Greeted receive(int descriptor, Claims claims, int timeoutMs) throws IOException {
    MessageStream stream = new MessageStream(descriptor, timeoutMs);
    try {
      return receive(stream, claims);
    } catch (ProtocolException e) {
      return refuse(stream, new Refusal(Refusal.MALFORMED, e.getMessage()));
    }
  }

  /**
   * Tells a client that has been greeted why it is turned away.
   *
   * @throws IOException if it goes or takes too long
   */
  public static void refuse(int descriptor, Refusal refusal) throws IOException {
    new MessageStream(descriptor, TIMEOUT_MS).send(refusal.encode());
  }

  /**
   * Opens the session of a client that has been greeted.
   *
   * @throws IOException if it goes or takes too long
   */
  public static void welcome(int descriptor, Welcome welcome) throws IOException {
    new MessageStream(descriptor, TIMEOUT_MS).send(welcome.encode());
  }

  /**
   * Offers shared memory to a client that has been welcomed with the announcement of it.
   *
   * @return whether the client uses it
   * @throws ProtocolException if its answer is none
   * @throws IOException if it goes or takes too long
   */
  public static boolean share(int descriptor, SharedMemory memory, int timeoutMs)
      throws IOException {
    MessageStream stream = new MessageStream(descriptor, timeoutMs);
    if (memory.passes()) {
      pass(descriptor, memory);
    } else {
      stream.send(memory.offer().encode());
    }
    return RegionAnswer.decode(stream.receive()).taken();
  }

  /** The descriptor comes with the first byte of the offer. */
  private static void pass(int descriptor, SharedMemory memory) throws IOException {
    byte[] offer = memory.offer().encode();
    try (Arena arena = Arena.ofConfined()) {
      long message = arena.allocateFrom(ValueLayout.JAVA_BYTE, offer).address();
      int[] files = {memory.descriptor()};
      int sent = Descriptors.send(descriptor, files, message, offer.length);
      if (Errno.check(sent, "shared memory cannot be offered") != offer.length) {
        throw new IOException("the client does not read");
      }
    }
  }

  private static Greeted receive(MessageStream stream, Claims claims) throws IOException {
    Hello hello = Hello.decode(stream.receive());
    if (hello.version() == 0) {
      return refuse(stream, new Refusal(Refusal.VERSION, versions(hello)));
    }
    Claim claim = claim(stream, hello, claims);
    return claim.proof().isPresent()
        ? challenge(stream, hello, claim.peer(), claim.proof().get())
        : new Greeted(hello, claim.peer(), Optional.empty(), Bytes.zero(Message.NONCE));
  }

  private static Claim claim(MessageStream stream, Hello hello, Claims claims) throws IOException {
    try {
      return claims.of(hello);
    } catch (RefusedException e) {
      stream.send(e.refusal().encode());
      throw e;
    }
  }

  private static Greeted challenge(MessageStream stream, Hello hello, Peer peer, Token token)
      throws IOException {
    Bytes nonce = Bytes.random(Message.NONCE);
    stream.send(new Challenge(nonce).encode());
    Proof proof = Proof.decode(stream.receive());
    if (!proof.code().equals(token.clientProof(hello.nonce(), nonce))) {
      boolean ofSession = peer instanceof Peer.Returning || peer instanceof Peer.Linked;
      return refuse(stream, ofSession ? NO_SESSION : WRONG_TOKEN);
    }
    return new Greeted(hello, peer, Optional.of(token), token.serverProof(nonce, hello.nonce()));
  }

  private static Greeted refuse(MessageStream stream, Refusal refusal) throws IOException {
    stream.send(refusal.encode());
    throw new RefusedException(refusal);
  }

  private static String versions(Hello hello) {
    return "this backend speaks the protocol's versions %d to %d, the client %d to %d"
        .formatted(Message.OLDEST, Message.VERSION, hello.lowest(), hello.highest());
  }
}
