// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Answer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Challenge;
import io.outboard.wire.Hello;
import io.outboard.wire.Proof;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/** A client's side of the greeting. */
public final class GreetingClient {
  /**
   * How long a backend may take in all, in milliseconds. It may have to start a worker, and says so
   * if it has none after a minute.
   */
  public static final int TIMEOUT_MS = 65_000;

  /** The same where no worker has to start: the daemon answers by itself. */
  public static final int QUESTION_MS = 10_000;

  private static final String NO_TOKEN =
      "the backend wants a token: set OUTBOARD_TOKEN to the 64 digits in the file that 'outboard"
          + " serve' names";

  private GreetingClient() {}

  /**
   * Opens a session.
   *
   * @param vouched whether the communicator vouches; a backend elsewhere must prove that it has the
   *     token too
   * @param token the token, if this client has one
   * @param timeoutMs in all; see {@link #TIMEOUT_MS}
   * @throws RefusedException if the backend turns this client away
   * @throws ProtocolException if the backend breaks the protocol
   * @throws IOException if the backend goes, takes too long or has not the token, or there is none
   *     here and one is needed
   */
  public static Welcome greet(
      int descriptor, Hello hello, boolean vouched, Optional<Token> token, int timeoutMs)
      throws IOException {
    try {
      return greet(new MessageStream(descriptor, timeoutMs), hello, vouched, token);
    } catch (InterruptedIOException e) {
      throw new IOException(
          "the backend has not answered in %d seconds".formatted(timeoutMs / 1000), e);
    }
  }

  /**
   * Waits for the Welcome of a backend that was told by somebody else who this client is.
   *
   * @throws RefusedException if the backend turns this client away
   * @throws IOException if it goes or takes too long
   */
  public static Welcome welcome(int descriptor, int timeoutMs) throws IOException {
    return switch (Answer.decode(new MessageStream(descriptor, timeoutMs).receive())) {
      case Welcome welcome -> welcome;
      case Refusal refusal -> throw new RefusedException(refusal);
      case Challenge _ -> throw new ProtocolException("a challenge where nobody has greeted");
    };
  }

  private static Welcome greet(
      MessageStream stream, Hello hello, boolean vouched, Optional<Token> token)
      throws IOException {
    stream.send(hello.encode());
    return switch (Answer.decode(stream.receive())) {
      case Challenge challenge ->
          prove(
              stream, hello, challenge.nonce(), token.orElseThrow(() -> new IOException(NO_TOKEN)));
      case Welcome welcome when vouched -> welcome;
      case Welcome _ -> throw new IOException("the backend did not prove that it has the token");
      case Refusal refusal -> throw new RefusedException(refusal);
    };
  }

  private static Welcome prove(MessageStream stream, Hello hello, Bytes serverNonce, Token token)
      throws IOException {
    stream.send(new Proof(token.clientProof(hello.nonce(), serverNonce)).encode());
    return switch (Answer.decode(stream.receive())) {
      case Welcome welcome -> {
        if (!welcome.proof().equals(token.serverProof(serverNonce, hello.nonce()))) {
          throw new IOException("the backend has not the token");
        }
        yield welcome;
      }
      case Refusal refusal -> throw new RefusedException(refusal);
      case Challenge _ -> throw new ProtocolException("a second challenge");
    };
  }
}
