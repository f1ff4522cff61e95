// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/**
 * A client's first message.
 *
 * @param lowest lowest protocol version that the client speaks
 * @param highest highest such
 * @param process the client's process id, as the client sees it
 * @param session the session to resume or to join, zero to open one; {@link Message#IDENTITY}
 *     bytes; the name of the token where {@link #FLAG_KEY} is set
 * @param nonce {@link Message#NONCE} bytes, fresh for each greeting
 * @param flags a set of {@code FLAG_…}, the {@link #tag}, the {@link #slot} and the {@link #thread}
 * @param libraries the libraries that the client may call
 * @param environment the client's variables that the vendor's library honours
 * @param program the program's name, for people
 */
public record Hello(
    int lowest,
    int highest,
    int process,
    Bytes session,
    Bytes nonce,
    int flags,
    List<Library> libraries,
    SequencedMap<String, String> environment,
    String program) {
  /** Flag: the client wants shared-memory regions. */
  public static final int FLAG_REGIONS = 1;

  /** Flag: the client wants a log of its calls. */
  public static final int FLAG_LOG = 2;

  /**
   * Flag: the client adds a connection to the session that {@code session} names, which is its own:
   * one for bulk data, or one of a thread (see {@link #thread}); there is no other content.
   */
  public static final int FLAG_BULK = 4;

  /**
   * Flag: the client has a token of its own, whose name ({@link Token#name}) is in {@code session}.
   */
  public static final int FLAG_KEY = 8;

  /** Flag: no session is wanted: {@link Control} messages follow the Welcome. */
  public static final int FLAG_CONTROL = 16;

  /** Flag: no session is wanted: the client only asks whether it would be served. */
  public static final int FLAG_ASK = 32;

  /** Flag: the client would go on over another connection if it lost this one. */
  public static final int FLAG_LASTS = 64;

  /**
   * Flag: the client goes on with the session that {@code session} names, whose connection it has
   * lost; there is no other content.
   */
  public static final int FLAG_RETURNS = 128;

  /**
   * Flag: the connection adds a link between two hosts to the session that {@code session} names:
   * {@link HostLink} messages follow the Welcome; there is no other content.
   */
  public static final int FLAG_LINKS = 1 << 14;

  /** Flag: the connection is a link, whose key's name is in {@code session}. */
  public static final int FLAG_LINK = 1 << 15;

  /** Flag: no session is wanted: a {@link CodeRequest} follows the Welcome. */
  public static final int FLAG_OFFLOADS = 1 << 25;

  /** The most that {@link #tag} can be. */
  public static final int TAG_LIMIT = 63;

  private static final int TAG_SHIFT = 8;

  private static final int SLOT_SHIFT = 16;
  private static final int SLOT_MASK = 15;

  private static final int THREAD_SHIFT = 20;
  private static final int THREAD_MASK = 31;

  static final int NAME = 24;
  private static final int RESERVED = 16;
  private static final int LIBRARY = 64;

  /**
   * A library of the client.
   *
   * @param name at most 23 characters
   * @param number the library's number in frames
   * @param level the highest call that the client knows
   * @param digest of the specification; {@link Message#IDENTITY} bytes; informs, never refuses
   */
  public record Library(String name, int number, int level, Bytes digest) {
    /** Checks the digest's length. */
    public Library {
      digest.exactly(Message.IDENTITY);
    }

    /** Returns the bytes of a frame of kind {@link Frame#KIND_LIBRARY}. */
    public byte[] encode() {
      return MessageWriter.body(this::write);
    }

    /**
     * Takes the body of such a frame apart.
     *
     * @throws ProtocolException if it is not a well-formed one
     */
    public static Library decode(byte[] body) {
      return MessageReader.whole("Library", body, Library::read);
    }

    private void write(MessageWriter out) {
      out.name(name, NAME).u32(number).u32(level).bytes(digest).zeros(RESERVED);
    }

    private static Library read(MessageReader in) {
      Library library = new Library(in.name(NAME), in.u32(), in.u32(), in.bytes(Message.IDENTITY));
      in.skip(RESERVED);
      return library;
    }
  }

  /** Checks lengths and copies the collections. */
  public Hello {
    session.exactly(Message.IDENTITY);
    nonce.exactly(Message.NONCE);
    libraries = List.copyOf(libraries);
    environment = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(environment));
  }

  /** Whether the client wants shared memory. */
  public boolean wantsRegion() {
    return (flags & FLAG_REGIONS) != 0;
  }

  /** Whether the client wants a log of its calls. */
  public boolean wantsLog() {
    return (flags & FLAG_LOG) != 0;
  }

  /** Whether the connection is to be one more of an open session. */
  public boolean joins() {
    return (flags & FLAG_BULK) != 0;
  }

  /** Whether the session could go on over another connection. */
  public boolean lasts() {
    return (flags & FLAG_LASTS) != 0;
  }

  /** Whether the connection takes the place of one that an open session has lost. */
  public boolean returns() {
    return (flags & FLAG_RETURNS) != 0;
  }

  /** Whether the client tells of a link of its session's host. */
  public boolean tellsOfLink() {
    return (flags & FLAG_LINKS) != 0;
  }

  /** Whether the connection is a link. */
  public boolean isLink() {
    return (flags & FLAG_LINK) != 0;
  }

  /** Whether the client names its token. */
  public boolean namesKey() {
    boolean further = joins() || returns() || tellsOfLink() || isLink();
    return (flags & FLAG_KEY) != 0 && !further;
  }

  /** Whether the client wants to say something to the daemon. */
  public boolean controls() {
    return (flags & FLAG_CONTROL) != 0;
  }

  /** Whether the client wants code of its tenant's to run. */
  public boolean offloads() {
    return (flags & FLAG_OFFLOADS) != 0;
  }

  /** Whether the client only asks whether it would be served. */
  public boolean asks() {
    return (flags & FLAG_ASK) != 0;
  }

  /**
   * The part of all handles of the session, minted here or there, that tells them from those of the
   * client's other sessions: the client chooses it, from 0 to {@link #TAG_LIMIT}.
   */
  public int tag() {
    return flags >>> TAG_SHIFT & TAG_LIMIT;
  }

  /**
   * Where the session's device addresses have to lie, for a client that has devices of other hosts
   * too; none where they may lie anywhere.
   */
  public Optional<Slot> slot() {
    int number = flags >>> SLOT_SHIFT & SLOT_MASK;
    return number == 0 ? Optional.empty() : Optional.of(new Slot(number - 1));
  }

  /**
   * Which connection of a thread it is that the client adds, or takes up again, from 0 on; none
   * where it is the session's first, or one for bulk data.
   */
  public OptionalInt thread() {
    int number = flags >>> THREAD_SHIFT & THREAD_MASK;
    return number == 0 ? OptionalInt.empty() : OptionalInt.of(number - 1);
  }

  /**
   * The same of a client whose device addresses have to lie there; its tag is the slot's number.
   */
  public Hello in(Slot slot) {
    int others = flags & ~((TAG_LIMIT << TAG_SHIFT) | (SLOT_MASK << SLOT_SHIFT));
    int number = slot.number();
    return with(others | (number << TAG_SHIFT) | ((number + 1) << SLOT_SHIFT), session);
  }

  /** The same of a client that only asks whether it would be served. */
  public Hello toAsk() {
    return with(flags | FLAG_ASK, session);
  }

  /** The same of a client that has a token and says which. */
  public Hello withKey(Token token) {
    return with(flags | FLAG_KEY, token.name());
  }

  /** The same of a client that wants to say something to the daemon. */
  public Hello toControl() {
    return with(flags | FLAG_CONTROL, session);
  }

  /** The same of a client that wants no shared memory. */
  public Hello withoutRegion() {
    return with(flags & ~FLAG_REGIONS, session);
  }

  private Hello with(int otherFlags, Bytes otherSession) {
    return new Hello(
        lowest, highest, process, otherSession, nonce, otherFlags, libraries, environment, program);
  }

  /** Returns the highest version that both sides speak, 0 if there is none. */
  public int version() {
    int version = Math.min(highest, Message.VERSION);
    return version >= Math.max(lowest, Message.OLDEST) ? version : 0;
  }

  /** Returns the message's bytes. */
  public byte[] encode() {
    byte[] variables = variables();
    byte[] name = program.getBytes(UTF_8);
    MessageWriter out = new MessageWriter().u16(lowest).u16(highest).u32(process);
    out.bytes(session).bytes(nonce).u32(flags);
    out.u32(libraries.size()).u32(variables.length).u32(name.length);
    libraries.forEach(library -> library.write(out));
    return out.bytes(variables).align().bytes(name).align().message();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed Hello
   */
  public static Hello decode(byte[] message) {
    MessageReader in = new MessageReader("Hello", message);
    int lowest = in.u16();
    int highest = in.u16();
    if (lowest == 0 || lowest > highest) {
      throw in.malformed("versions " + lowest + " to " + highest);
    }
    int process = in.word();
    Bytes session = in.bytes(Message.IDENTITY);
    Bytes nonce = in.bytes(Message.NONCE);
    int flags = in.word();
    int slot = flags >>> SLOT_SHIFT & SLOT_MASK;
    if (slot > Slot.MOST) {
      throw in.malformed("slot " + (slot - 1));
    }
    int thread = flags >>> THREAD_SHIFT & THREAD_MASK;
    if (thread > Limits.THREAD_CONNECTIONS) {
      throw in.malformed("connection " + (thread - 1) + " of a thread");
    }
    int count = in.u32();
    int variables = in.u32();
    int name = in.u32();
    List<Library> libraries = libraries(in, count);
    SequencedMap<String, String> environment = environment(in, variables);
    in.align();
    String program = in.text(name);
    in.align();
    in.end();
    return new Hello(
        lowest, highest, process, session, nonce, flags, libraries, environment, program);
  }

  private static List<Library> libraries(MessageReader in, int count) {
    if (count > in.remaining() / LIBRARY) {
      throw in.malformed("it is cut off");
    }
    List<Library> libraries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      libraries.add(Library.read(in));
    }
    return libraries;
  }

  private static SequencedMap<String, String> environment(MessageReader in, int bytes) {
    SequencedMap<String, String> environment = new LinkedHashMap<>();
    String text = in.raw(bytes);
    for (int start = 0; start < text.length(); ) {
      int end = text.indexOf('\0', start);
      int middle = text.indexOf('=', start);
      if (end < 0 || middle <= start || middle > end) {
        throw in.malformed("a variable of the environment");
      }
      environment.putIfAbsent(text.substring(start, middle), text.substring(middle + 1, end));
      start = end + 1;
    }
    return environment;
  }

  private byte[] variables() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      text.append(variable.getKey()).append('=').append(variable.getValue()).append('\0');
    }
    return text.toString().getBytes(UTF_8);
  }
}
