// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;

/** Greets a backend, and has it open a service of a jar. */
final class Opening {
  /** A worker may have to start. */
  private static final int TIMEOUT_MS = 65_000;

  private static final int VERSION = 1;
  private static final int NONCE = 32;
  private static final int IDENTITY = 16;
  private static final int HELLO = 80;
  private static final int PROOF = 48;
  private static final int REQUEST = 144;
  private static final int NAME = 64;
  private static final int SEND = 1;
  private static final int OPENED = 2;

  private final DataInputStream in;
  private final OutputStream out;
  private final Secret token;
  private final byte[] nonce = new byte[NONCE];

  private Opening(Socket socket, Secret token) throws IOException {
    socket.setSoTimeout(TIMEOUT_MS);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
    this.token = token;
    new SecureRandom().nextBytes(nonce);
  }

  /**
   * Opens it; frames follow.
   *
   * @return how many calls there may be at a time
   * @throws IOException if the backend goes, or refuses; the message says why
   */
  static int open(Socket socket, Secret token, Code code, String service, String digest)
      throws IOException {
    Opening opening = new Opening(socket, token);
    opening.greet();
    int calls = opening.request(code, service, digest);
    socket.setSoTimeout(0);
    return calls;
  }

  private void greet() throws IOException {
    byte[] program = "offload".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer hello = GreetingMessage.begin(HELLO + program.length);
    hello
        .putShort((short) VERSION)
        .putShort((short) VERSION)
        .putInt(0)
        .put(token.name())
        .put(nonce);
    hello.putInt(GreetingMessage.NAMES_TOKEN | GreetingMessage.OFFLOADS);
    hello.putInt(0).putInt(0).putInt(program.length).put(program);
    GreetingMessage.send(out, hello);
    GreetingMessage challenge = receive(GreetingMessage.CHALLENGE);
    challenge.number();
    byte[] theirs = challenge.bytes(NONCE);
    ByteBuffer proof = GreetingMessage.begin(PROOF);
    proof.putInt(GreetingMessage.PROOF).putInt(0).put(token.clientProof(nonce, theirs));
    GreetingMessage.send(out, proof);
    GreetingMessage welcome = receive(GreetingMessage.WELCOME);
    welcome.number();
    welcome.bytes(2 * IDENTITY);
    if (!MessageDigest.isEqual(welcome.bytes(NONCE), token.serverProof(theirs, nonce))) {
      throw new IOException("the backend has not the token");
    }
  }

  private int request(Code code, String service, String digest) throws IOException {
    byte[] name = service.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer request = GreetingMessage.begin(REQUEST);
    request.putInt(GreetingMessage.CODE_REQUEST).putInt(code.jar().length);
    request.put(code.digest()).put(Code.bytes(digest)).put(name).put(new byte[NAME - name.length]);
    GreetingMessage.send(out, request);
    GreetingMessage answer = receive(GreetingMessage.CODE_ANSWER);
    int state = answer.number();
    if (state == SEND) {
      out.write(code.jar());
      out.flush();
      answer = receive(GreetingMessage.CODE_ANSWER);
      state = answer.number();
    }
    int calls = answer.number();
    if (state != OPENED || calls < 1) {
      throw new IOException("the backend's answer is none");
    }
    return calls;
  }

  private GreetingMessage receive(int type) throws IOException {
    GreetingMessage message;
    try {
      message = GreetingMessage.receive(in);
    } catch (EOFException e) {
      throw new IOException("the backend, or the worker of the code, has gone", e);
    }
    if (message.type() == GreetingMessage.REFUSAL) {
      message.number();
      throw new IOException(message.text());
    }
    if (message.type() != type) {
      throw new IOException("the backend says something else than it should");
    }
    return message;
  }
}
