// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.succession;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.worker.TakeOver;
import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Token;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Facts about a session that a daemon keeps itself, because it does not believe workers about them.
 *
 * @param worker its process
 * @param user of the worker, if not the daemon's
 * @param key that daemon and worker prove
 * @param number by which the log names it
 * @param hello what its client said
 * @param opener who has opened it
 * @param proven the token that the opener has proven, if it had to
 * @param identity by which its client names it
 * @param secret which its client proves when it comes back
 * @param graceSeconds in which it may
 * @param lease that it uses; empty where leases are not used
 * @param since when it began
 * @param allotment what it got, without descriptors
 * @param pages which files its descriptors are: its page, then that of its lease and the events
 */
public record SessionFacts(
    int worker,
    OptionalInt user,
    Token key,
    int number,
    Hello hello,
    Peer.Principal opener,
    Optional<Token> proven,
    Bytes identity,
    Bytes secret,
    int graceSeconds,
    String lease,
    Instant since,
    Allotment allotment,
    List<String> pages) {
  private static final String VERSION = "version";
  private static final String OPERATOR = "operator";
  private static final String MEMBER = "member";
  private static final String HOLDER = "holder";

  /** The same with another lease. */
  public SessionFacts withLease(String id) {
    return new SessionFacts(
        worker,
        user,
        key,
        number,
        hello,
        opener,
        proven,
        identity,
        secret,
        graceSeconds,
        id,
        since,
        allotment,
        pages);
  }

  /** As {@link #parse} reads them: a name and a value on each line. */
  String text() {
    return String.join(
        "\n",
        VERSION + " " + TakeOver.VERSION,
        "worker " + worker,
        "user " + (user.isPresent() ? user.getAsInt() : ""),
        "key " + key.digits(),
        "number " + number,
        "hello " + HexFormat.of().formatHex(hello.encode()),
        "opener " + opener(opener),
        "proven " + proven.map(Token::digits).orElse(""),
        "identity " + identity.hex(),
        "secret " + secret.hex(),
        "grace " + graceSeconds,
        "lease " + lease,
        "since " + since.toEpochMilli(),
        "gpus " + allotment.gpusAsText(),
        "slot " + allotment.slot(),
        "percent " + allotment.percent(),
        "pages " + String.join(" ", pages),
        "");
  }

  private static String opener(Peer.Principal who) {
    return switch (who) {
      case Peer.Operator _ -> OPERATOR;
      case Peer.Member member -> MEMBER + " " + member.user() + " " + hex(member.name());
      case Peer.Holder holder ->
          HOLDER + " " + holder.epoch() + " " + hex(holder.lease()) + " " + hex(holder.tenant());
      case Peer.Itself _ ->
          throw new IllegalArgumentException("a daemon's own session ends with it");
    };
  }

  private static Peer.Principal opener(String text) throws IOException {
    String[] words = text.split(" ", -1);
    return switch (words[0]) {
      case OPERATOR -> new Peer.Operator();
      case MEMBER -> new Peer.Member(Integer.parseInt(words[1]), text(words[2]));
      case HOLDER -> new Peer.Holder(text(words[2]), Long.parseLong(words[1]), text(words[3]));
      default -> throw new IOException("an opener that is not known: " + words[0]);
    };
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(UTF_8));
  }

  private static String text(String hex) {
    return new String(HexFormat.of().parseHex(hex), UTF_8);
  }

  /**
   * Reads them.
   *
   * @throws IOException if they are of another version, or damaged
   */
  static SessionFacts parse(String text) throws IOException {
    Map<String, String> facts = new HashMap<>();
    text.lines()
        .map(line -> line.split(" ", 2))
        .filter(words -> words.length == 2)
        .forEach(words -> facts.put(words[0], words[1]));
    if (!Integer.toString(TakeOver.VERSION).equals(facts.get(VERSION))) {
      throw new IOException("they are of version " + facts.get(VERSION));
    }
    try {
      return read(facts);
    } catch (RuntimeException e) {
      throw new IOException("they are damaged: " + e, e);
    }
  }

  static OptionalInt user(String text) {
    return text.lines()
        .filter(line -> line.matches("user \\d{1,10}"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
        .filter(user -> user <= Integer.MAX_VALUE)
        .mapToInt(user -> (int) user)
        .findFirst();
  }

  private static SessionFacts read(Map<String, String> facts) throws IOException {
    return new SessionFacts(
        number(facts, "worker"),
        facts.get("user").isEmpty() ? OptionalInt.empty() : OptionalInt.of(number(facts, "user")),
        Token.parse(facts.get("key")),
        number(facts, "number"),
        Hello.decode(HexFormat.of().parseHex(facts.get("hello"))),
        opener(facts.get("opener")),
        Optional.of(facts.get("proven")).filter(token -> !token.isEmpty()).map(Token::parse),
        Bytes.of(HexFormat.of().parseHex(facts.get("identity"))),
        Bytes.of(HexFormat.of().parseHex(facts.get("secret"))),
        number(facts, "grace"),
        facts.get("lease"),
        Instant.ofEpochMilli(Long.parseLong(facts.get("since"))),
        new Allotment(
            Allotment.gpus(facts.get("gpus")),
            Allotment.NONE,
            number(facts, "slot"),
            Allotment.NONE,
            number(facts, "percent")),
        List.of(facts.get("pages").split(" ", -1)));
  }

  private static int number(Map<String, String> facts, String name) {
    return Integer.parseInt(facts.get(name));
  }
}
