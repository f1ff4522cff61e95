// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * PROTOCOL.md draws the messages of the greeting as the classes write them: each has values here
 * that no other field has. The frontend's offsets are made of the same drawings ({@link
 * HeaderForCTest}).
 */
final class DrawnGreetingTest {
  private static final String HEAD = "Message";
  private static final Set<String> OTHERS = Set.of(HEAD, "Frame");
  private static final int GRACE = 0x0e0f;

  /**
   * The contents of a message.
   *
   * @param name of its drawing
   * @param bytes as the class writes them, from the drawing's first offset on
   * @param values by field: a number or {@link Bytes}
   */
  private record Written(String name, byte[] bytes, Map<String, Object> values) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Bytes marked(int count, int with) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (with + i);
    }
    return Bytes.of(bytes);
  }

  private static Bytes text(String text, int room) {
    return Bytes.of(Arrays.copyOf(text.getBytes(US_ASCII), room));
  }

  private static Written hello() {
    var environment = new LinkedHashMap<String, String>();
    environment.put("CUDA_A", "1=2");
    Bytes session = marked(Message.IDENTITY, 1);
    Bytes nonce = marked(Message.NONCE, 40);
    Hello.Library library = new Hello.Library("cuda", 1, 1, Bytes.zero(Message.IDENTITY));
    Hello hello =
        new Hello(3, 4, 5, session, nonce, 6, List.of(library, library), environment, "prog");
    return new Written(
        "Hello",
        hello.encode(),
        Map.of(
            "lowest", 3,
            "highest", 4,
            "process", 5,
            "session", session,
            "nonce", nonce,
            "flags", 6,
            "libraries", 2,
            "environment", "CUDA_A=1=2\0".length(),
            "program", "prog".length()));
  }

  private static Written helloEntry() {
    Bytes digest = marked(Message.IDENTITY, 7);
    return new Written(
        "HelloEntry",
        new Hello.Library("cuda", 8, 9, digest).encode(),
        Map.of(
            "name",
            text("cuda", Hello.NAME),
            "number",
            8,
            "level",
            9,
            "digest",
            digest,
            "zero",
            Bytes.zero(Message.IDENTITY)));
  }

  private static Written challenge() {
    Bytes nonce = marked(Message.NONCE, 3);
    return new Written(
        "Challenge", new Challenge(nonce).encode(), Map.of("type", 2, "zero", 0, "nonce", nonce));
  }

  private static Written proof() {
    Bytes code = marked(Message.NONCE, 5);
    return new Written(
        "Proof", new Proof(code).encode(), Map.of("type", 3, "zero", 0, "code", code));
  }

  private static Written welcome() {
    Bytes session = marked(Message.IDENTITY, 1);
    Bytes secret = marked(Message.IDENTITY, 60);
    Bytes proof = marked(Message.NONCE, 120);
    var library = new Welcome.Library("cuda", 1, 1, new BitSet());
    Welcome welcome =
        new Welcome(9, session, secret, proof, GRACE, true, false, false, List.of(library));
    int regionAtLength = 1 | 8;
    return new Written(
        "Welcome",
        welcome.encode(),
        Map.of(
            "type", 4,
            "version", 9,
            "grace", GRACE,
            "session", session,
            "secret", secret,
            "proof", proof,
            "libraries", 1,
            "flags", regionAtLength));
  }

  private static Written welcomeEntry() {
    return new Written(
        "WelcomeEntry",
        new Welcome.Library("cuda", 8, Long.SIZE, new BitSet()).encode(),
        Map.of("name", text("cuda", Hello.NAME), "number", 8, "level", 64, "words", 2, "zero", 0));
  }

  private static Written refusal() {
    return new Written(
        "Refusal", new Refusal(8, "why").encode(), Map.of("type", 5, "code", Refusal.LEASE));
  }

  private static Stream<Written> regions() {
    RegionOffer offer = RegionOffer.of(Region.LEAST_RING, 3, Region.PAGE);
    RegionOffer placed = offer.placed(5L * Region.PAGE, 77);
    return Stream.of(
        new Written(
            "Region",
            offer.encode(),
            Map.of(
                "type",
                6,
                "zero",
                0,
                "bytes",
                offer.bytes(),
                "ring",
                offer.ringBytes(),
                "slots",
                3,
                "slot",
                Region.PAGE)),
        new Written(
            "PlacedRegion", placed.encode(), Map.of("offset", 5L * Region.PAGE, "mark", 77)),
        new Written(
            "RegionAnswer", new RegionAnswer(true).encode(), Map.of("type", 7, "taken", 1)));
  }

  private static Stream<Written> afterwards() {
    Bytes nonce = marked(Message.IDENTITY, 9);
    return Stream.of(
        new Written(
            "Resumption",
            new Resumption(4, 1L << 40).encode(),
            Map.of("type", 9, "epoch", 4, "bytes", 1L << 40)),
        new Written(
            "HostLink",
            new HostLink(2, nonce).encode(),
            Map.of("type", 10, "slot", 2, "nonce", nonce)));
  }

  private static Stream<Written> code() {
    Bytes jar = marked(CodeRequest.DIGEST, 3);
    Bytes encodings = marked(CodeRequest.DIGEST, 90);
    return Stream.of(
        new Written(
            "CodeRequest",
            new CodeRequest(5, jar, encodings, "faces").encode(),
            Map.of(
                "type",
                11,
                "bytes",
                5,
                "jar",
                jar,
                "encodings",
                encodings,
                "service",
                text("faces", 64))),
        new Written(
            "CodeAnswer",
            new CodeAnswer(2, 3).encode(),
            Map.of("type", 12, "state", 2, "calls", 3, "zero", 0)));
  }

  private static Stream<Written> all() {
    var greeting =
        Stream.of(
            hello(), helloEntry(), challenge(), proof(), welcome(), welcomeEntry(), refusal());
    return Stream.of(greeting, regions(), afterwards(), code()).flatMap(part -> part);
  }

  @ParameterizedTest
  @MethodSource("all")
  void aMessageIsDrawnAsItIsWritten(Written written) {
    Map<String, Object> there = new HashMap<>();
    Drawing.of(written.name)
        .fields()
        .forEach(
            (name, field) -> {
              boolean number = written.values.get(name) instanceof Number;
              there.put(
                  name, number ? field.number(written.bytes) : (Object) field.bytes(written.bytes));
            });
    Map<String, Object> expected = new HashMap<>(written.values);
    expected.replaceAll((name, value) -> value instanceof Number n ? n.longValue() : value);
    assertEquals(expected, there);
  }

  @Test
  void aMessageBeginsAsDrawn() {
    Drawing head = Drawing.of(HEAD);
    byte[] message = challenge().bytes;
    assertEquals(Message.MAGIC, head.fields().get("magic").number(message));
    assertEquals(message.length, head.fields().get("length").number(message));
    assertEquals(Message.HEADER, head.end());
  }

  @Test
  void messagesOfOneLengthEndWhereTheirDrawingDoes() {
    for (Written one : List.of(challenge(), proof())) {
      assertEquals(Drawing.of(one.name).end(), one.bytes.length, one.name);
    }
    Stream.of(regions(), afterwards(), code())
        .flatMap(part -> part)
        .forEach(one -> assertEquals(Drawing.of(one.name).end(), one.bytes.length, one.name));
  }

  @Test
  void whatIsDrawnIsTried() {
    Set<String> drawn =
        Drawing.all().stream()
            .map(Drawing::name)
            .filter(name -> !OTHERS.contains(name))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(drawn, all().map(Written::name).collect(Collectors.toCollection(TreeSet::new)));
  }
}
