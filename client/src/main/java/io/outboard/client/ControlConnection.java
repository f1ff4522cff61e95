// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.wire.Control;
import io.outboard.wire.Hello;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says something to a backend's daemon (PROTOCOL.md, Control). */
public final class ControlConnection implements AutoCloseable {
  /** Most characters of an answer. */
  private static final int MOST_ANSWER = 1 << 30;

  /** Most rows of an answer whose length nobody knows: ten times the ledger of a large site. */
  public static final int MOST_ROWS = 10_000_000;

  private final int socket;
  private final ControlStream stream;

  /**
   * Connects.
   *
   * @param environment where the token is looked for, and whom the client trusts
   * @throws IOException if there is no backend, or it does not let this client control it
   * @throws IllegalArgumentException if the endpoint is not one that can be connected to
   */
  public ControlConnection(Endpoint endpoint, Map<String, String> environment) throws IOException {
    Communicator communicator = Communicator.of(endpoint);
    socket = communicator.connect(endpoint, environment);
    stream = new ControlStream(socket);
    try {
      Hello hello = Introduction.hello(List.of(), Map.of()).toControl();
      Introduction.greet(
          socket, hello, communicator.capabilities(), environment, GreetingClient.QUESTION_MS);
    } catch (ProtocolException e) {
      close();
      throw new IOException(endpoint + ": " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Asks.
   *
   * @return the rows of the answer, the last message after them
   * @throws IOException if the backend goes or takes too long
   */
  public List<Control> ask(String request) throws IOException {
    return ask(request, ControlStream.TIMEOUT_MS);
  }

  /**
   * Asks for something that may take so many milliseconds.
   *
   * @return the rows of the answer, the last message after them
   * @throws java.io.InterruptedIOException if it takes longer
   * @throws IOException if the backend goes
   */
  public List<Control> ask(String request, int milliseconds) throws IOException {
    return ask(request, milliseconds, MOST_ROWS);
  }

  /**
   * Asks for something whose answer has at most so many rows.
   *
   * @return the rows of the answer, the last message after them
   * @throws java.io.InterruptedIOException if a row takes longer than so many milliseconds
   * @throws IOException if the backend goes, or says more
   */
  public List<Control> ask(String request, int milliseconds, int mostRows) throws IOException {
    stream.send(Control.Kind.REQUEST, request);
    List<Control> answer = new ArrayList<>();
    long length = 0;
    do {
      answer.add(receive(milliseconds));
      length += answer.getLast().text().length();
      if (length > MOST_ANSWER || answer.size() > mostRows + 1) {
        throw new IOException("the backend's answer has no end");
      }
    } while (!answer.getLast().ends());
    return answer;
  }

  private Control receive(int milliseconds) throws IOException {
    try {
      return stream.receive(milliseconds);
    } catch (ProtocolException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    Posix.close(socket);
  }
}
