// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A backend opens the session; frames follow.
 *
 * @param version the protocol version that both speak from here
 * @param session the session's identity; {@link Message#IDENTITY} bytes
 * @param secret what resuming the session will need; {@link Message#IDENTITY} bytes
 * @param proof what {@link Token#serverProof} returns, zero where there was no challenge; {@link
 *     Message#NONCE} bytes
 * @param graceSeconds for so long the session waits for another connection once it has lost this
 *     one; 0 where it ends with it; at most {@link #MOST_GRACE}
 * @param region whether a {@link RegionOffer} follows
 * @param joinable whether the client may add connections for bulk data ({@link Hello#FLAG_BULK})
 * @param links whether this host connects to others that the client has joined ({@link HostLink})
 * @param libraries what the backend has
 */
public record Welcome(
    int version,
    Bytes session,
    Bytes secret,
    Bytes proof,
    int graceSeconds,
    boolean region,
    boolean joinable,
    boolean links,
    List<Library> libraries)
    implements Answer {
  /** The most that {@code graceSeconds} can be. */
  public static final int MOST_GRACE = 0xffff;

  private static final int FLAG_REGION = 1;
  private static final int FLAG_JOINABLE = 2;
  private static final int FLAG_LINKS = 4;

  /** Replies may come in several frames ({@link Frame#FLAG_MORE}), as from all of this version. */
  private static final int FLAG_AT_LENGTH = 8;

  /**
   * A library of the backend.
   *
   * @param name at most 23 characters
   * @param number the library's number in frames
   * @param level the highest call that the backend knows; at most 65535
   * @param calls the calls that the backend's driver has, none above {@code level}
   */
  public record Library(String name, int number, int level, BitSet calls) {
    /** Checks the calls' range and copies them. */
    public Library {
      if (level < 0 || level > 0xffff || calls.length() > level + 1) {
        throw new IllegalArgumentException(name + ": a call above the level " + level);
      }
      calls = (BitSet) calls.clone();
    }

    @Override
    public BitSet calls() {
      return (BitSet) calls.clone();
    }

    /** Returns the bytes of the answer to a frame of kind {@link Frame#KIND_LIBRARY}. */
    public byte[] encode() {
      return MessageWriter.body(this::write);
    }

    /**
     * Takes the body of such an answer apart.
     *
     * @throws ProtocolException if it is not a well-formed one
     */
    public static Library decode(byte[] body) {
      return MessageReader.whole("Library", body, Library::read);
    }

    private void write(MessageWriter out) {
      int words = level / Long.SIZE + 1;
      out.name(name, Hello.NAME).u32(number).u32(level).u32(words).u32(0);
      long[] known = calls.toLongArray();
      for (int i = 0; i < words; i++) {
        out.u64(i < known.length ? known[i] : 0);
      }
    }

    private static Library read(MessageReader in) {
      String name = in.name(Hello.NAME);
      int number = in.u32();
      int level = in.u32();
      int words = in.u32();
      in.skip(4);
      BitSet calls = BitSet.valueOf(in.longs(words));
      if (level > 0xffff || calls.length() > level + 1) {
        throw in.malformed(name + " has a call above its level");
      }
      return new Library(name, number, level, calls);
    }
  }

  /** A welcome without shared memory, to a session of one connection. */
  public Welcome(int version, Bytes session, Bytes secret, Bytes proof, List<Library> libraries) {
    this(version, session, secret, proof, 0, false, false, false, libraries);
  }

  /** Checks lengths and copies the list. */
  public Welcome {
    session.exactly(Message.IDENTITY);
    secret.exactly(Message.IDENTITY);
    proof.exactly(Message.NONCE);
    if (graceSeconds < 0 || graceSeconds > MOST_GRACE) {
      throw new IllegalArgumentException("a grace period of " + graceSeconds + " seconds");
    }
    libraries = List.copyOf(libraries);
  }

  @Override
  public byte[] encode() {
    MessageWriter out =
        new MessageWriter().u32(Message.TYPE_WELCOME).u16(version).u16(graceSeconds);
    out.bytes(session).bytes(secret).bytes(proof).u32(libraries.size());
    out.u32(
        FLAG_AT_LENGTH
            | flag(region, FLAG_REGION)
            | flag(joinable, FLAG_JOINABLE)
            | flag(links, FLAG_LINKS));
    libraries.forEach(library -> library.write(out));
    return out.message();
  }

  private static int flag(boolean set, int flag) {
    return set ? flag : 0;
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed Welcome
   */
  public static Welcome decode(byte[] message) {
    MessageReader in = new MessageReader("Welcome", message);
    in.type(Message.TYPE_WELCOME);
    int version = in.u16();
    int graceSeconds = in.u16();
    Bytes session = in.bytes(Message.IDENTITY);
    Bytes secret = in.bytes(Message.IDENTITY);
    Bytes proof = in.bytes(Message.NONCE);
    int count = in.u32();
    int flags = in.word();
    List<Library> libraries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      libraries.add(Library.read(in));
    }
    in.end();
    boolean region = (flags & FLAG_REGION) != 0;
    boolean joinable = (flags & FLAG_JOINABLE) != 0;
    boolean links = (flags & FLAG_LINKS) != 0;
    return new Welcome(
        version, session, secret, proof, graceSeconds, region, joinable, links, libraries);
  }
}
