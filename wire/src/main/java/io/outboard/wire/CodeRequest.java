// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * A client that offloads names, after its Welcome, the code that is to run and the service in it
 * (PROTOCOL.md, Offloaded code).
 *
 * @param bytes of the jar, where the client could send it; else 0
 * @param jar its SHA-256; {@link #DIGEST} bytes
 * @param encodings the SHA-256 of those of the service's interface
 * @param service its name
 */
public record CodeRequest(int bytes, Bytes jar, Bytes encodings, String service) {
  /** Bytes of a SHA-256. */
  public static final int DIGEST = 32;

  /** Bytes of the largest jar that is sent. */
  public static final int MOST_BYTES = 64 << 20;

  private static final int NAME = 64;

  /** Checks the digests' lengths. */
  public CodeRequest {
    jar.exactly(DIGEST);
    encodings.exactly(DIGEST);
  }

  /** Returns the message's bytes. */
  public byte[] encode() {
    MessageWriter out = new MessageWriter().u32(Message.TYPE_CODE_REQUEST).u32(bytes);
    return out.bytes(jar).bytes(encodings).name(service, NAME).message();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed one
   */
  public static CodeRequest decode(byte[] message) {
    MessageReader in = new MessageReader("CodeRequest", message);
    in.type(Message.TYPE_CODE_REQUEST);
    int bytes = in.u32();
    if (bytes > MOST_BYTES) {
      throw in.malformed("a jar of " + bytes + " bytes");
    }
    CodeRequest request = new CodeRequest(bytes, in.bytes(DIGEST), in.bytes(DIGEST), in.name(NAME));
    in.end();
    return request;
  }
}
