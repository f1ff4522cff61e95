// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.outboard.api.operation.SignIns;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.pool.broker.NodeMembers;
import io.outboard.pool.broker.SteadyClock;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed document is the server's, and the server does what the document says. */
final class DocumentTest {
  private static final long SEED = 20261121;
  private static final int ROUNDS = 80;

  /**
   * A broker's seconds in one of the test: a node that is made up never ends what it is told to.
   */
  private static final int HURRY = 20;

  /** Those that want a client's certificate: NodeTlsTest does them. */
  private static final List<String> WITH_TLS = List.of("renewNode");

  private static final String PEOPLE = "people";

  /** A provider that is away now and then. */
  private final class People implements SignIns {
    @Override
    public List<String> names() {
      return List.of(PEOPLE);
    }

    @Override
    public Entrance entrance(String name) throws IOException {
      beThere();
      return new Entrance(URI.create("https://people.example/authorize"), "console", "openid");
    }

    @Override
    public String token(String name, Code code) throws IOException {
      beThere();
      return "the.token";
    }

    private void beThere() throws IOException {
      if (random.nextBoolean()) {
        throw new IOException("it does not answer");
      }
    }
  }

  /** Streams, which go on for a minute: ConsolePageTest reads them. */
  private static final String STREAM = "watch";

  private static final List<String> MOMENTS =
      List.of("2026-11-21T12:00:00Z", "-1000000000-01-01T00:00:00Z", "2999-01-01T00:00:00Z");

  private static final Path COMMITTED = Path.of("..", "docs", "openapi.json");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @TempDir private Path folder;
  private TestServer server;
  private JsonNode document;
  private List<String> tokens;
  private final Random random = new Random(SEED);

  @BeforeEach
  void open() throws Exception {
    server =
        new TestServer(
            folder,
            TestServer.pool(folder, hurried()),
            settings -> settings.rate(TestServer.FAST).signIns(new People()));
    document = server.get("/openapi.json", "").json();
    String revoked = server.token(Role.OPERATOR, "");
    server.pool().accounts().revoke(server.pool().accounts().check(revoked).orElseThrow().id());
    tokens =
        List.of(
            server.token(Role.OPERATOR, ""),
            server.token(Role.OPERATOR, ""),
            server.token(Role.USER, "a"),
            server.token(Role.USER, "b"),
            server.token(Role.READER, "a"),
            server.token(Role.READER, ""),
            revoked,
            "outboard_" + "0".repeat(64),
            "");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static SteadyClock hurried() {
    Instant from = Instant.now();
    long began = System.nanoTime();
    LongSupplier passed = () -> HURRY * (System.nanoTime() - began);
    return new SteadyClock(() -> from.plusNanos(passed.getAsLong()), passed);
  }

  @Test
  void theCommittedDocumentIsTheServers() throws IOException {
    String text = JSON.writeValueAsString(document) + "\n";
    if (Boolean.getBoolean("outboard.openapi.update")) {
      Files.writeString(COMMITTED, text);
    }
    assertEquals(
        Files.readString(COMMITTED), text, "-Doutboard.openapi.update=true writes it anew");
  }

  @Test
  void everyOperationAnswersAsTheDocumentSays() throws Exception {
    Map<String, Integer> done = new TreeMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      releaseAll();
      for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
        for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
          if (!isStream(operation.getValue())
              && ask(path.getKey(), operation.getKey(), operation.getValue())) {
            done.merge(operation.getValue().get("operationId").asText(), 1, Integer::sum);
          }
        }
      }
    }
    document
        .get("paths")
        .forEach(
            path ->
                path.forEach(
                    operation ->
                        assertTrue(
                            done.containsKey(operation.get("operationId").asText())
                                || isStream(operation)
                                || WITH_TLS.contains(operation.get("operationId").asText()),
                            () -> operation.get("operationId") + " was never done: " + done)));
  }

  private static boolean isStream(JsonNode operation) {
    return operation.get("operationId").asText().startsWith(STREAM);
  }

  private void releaseAll() throws Exception {
    for (Form lease : server.pool().ask("leases", new Form())) {
      release(lease.get("id"));
    }
  }

  /** Some last a second: they may have ended meanwhile. */
  private void release(String id) throws Exception {
    try {
      server.pool().ask("release", new Form().with("id", id));
    } catch (LeaseException over) {
      assertTrue(over.getMessage().endsWith("is over: expired"), over::getMessage);
    }
  }

  /** Asks; returns whether it was done. */
  private boolean ask(String path, String method, JsonNode operation) throws Exception {
    String token = token(path);
    JsonNode wanted = operation.at("/requestBody/content/application~1json/schema");
    String body = wanted.isMissingNode() ? "" : damaged(sample(wanted).toString());
    String uri = path(path) + query(operation);
    TestServer.Answer answer =
        server.ask(method.toUpperCase(java.util.Locale.ROOT), uri, token, body);
    String what = "%s %s %s: %s".formatted(method, uri, body, answer);
    JsonNode response = operation.get("responses").get(Integer.toString(answer.status()));
    assertTrue(response != null, () -> "no such status in the document: " + what);
    JsonNode content = response.get("content").get(answer.type());
    assertTrue(content != null, () -> "no such type in the document: " + what);
    if (answer.type().contains("json")) {
      List<String> wrong = new ArrayList<>();
      matches(content.get("schema"), answer.json(), "$", wrong);
      assertEquals(List.of(), wrong, what);
    }
    return answer.status() < 300;
  }

  /** Nodes have secrets of their own: for each operation one that is right, and others. */
  private String token(String path) throws Exception {
    if (path.endsWith("/logout")) {
      return random.nextBoolean() ? server.token(Role.READER, "a") : "";
    }
    if (!path.contains("{node}") || random.nextInt(4) == 0) {
      return tokens.get(random.nextInt(tokens.size()));
    }
    NodeMembers members = server.pool().members();
    if (server.pool().nodes().all().stream().anyMatch(node -> node.joined())) {
      members.remove("n1");
    }
    String invitation = members.invite("n1");
    return path.endsWith("/join") ? invitation : members.join("n1", invitation);
  }

  private String path(String template) throws Exception {
    String path = template;
    if (path.contains("{lease}")) {
      path = path.replace("{lease}", lease());
    }
    if (path.contains("/tokens/{token}")) {
      String id =
          server
              .pool()
              .accounts()
              .issue(new Standing(Role.READER, ""), "", java.time.Duration.ofHours(1))
              .token()
              .id();
      path = path.replace("{token}", random.nextBoolean() ? id : noise());
    }
    if (path.contains("{device}")) {
      server.pool().failed("1", "for this test");
      path = path.replace("{device}", random.nextBoolean() ? "1" : noise());
    }
    return path.replace("{tenant}", random.nextBoolean() ? "a" : noise())
        .replace("{provider}", random.nextBoolean() ? PEOPLE : noise())
        .replace("{node}", random.nextInt(4) > 0 ? "n1" : noise());
  }

  private String lease() throws Exception {
    String tenant = random.nextBoolean() ? "a" : "b";
    String how = random.nextInt(4) == 0 ? "\"mode\": \"device\"" : "\"share\": 0.1";
    TestServer.Answer made =
        server.post(
            "/v1/leases",
            tokens.getFirst(),
            "{\"seconds\": 60, %s, \"tenant\": \"%s\"}".formatted(how, tenant));
    boolean use = made.status() == 201 && random.nextInt(4) > 0;
    return use ? made.json().get("id").asText() : noise();
  }

  private String noise() {
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      text.append((char) (' ' + random.nextInt(95)));
    }
    return URLEncoder.encode(text.toString(), StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String query(JsonNode operation) {
    List<String> parts = new ArrayList<>();
    for (JsonNode parameter : operation.path("parameters")) {
      if (parameter.get("in").asText().equals("query") && random.nextInt(3) == 0) {
        JsonNode value = sample(parameter.get("schema"));
        String text = random.nextInt(4) == 0 ? noise() : encoded(value.asText());
        parts.add(parameter.get("name").asText() + "=" + text);
      }
    }
    if (random.nextInt(20) == 0) {
      parts.add(noise() + "=" + noise());
    }
    return parts.isEmpty() ? "" : "?" + String.join("&", parts);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** A value that a schema allows, mostly. */
  private JsonNode sample(JsonNode schema) {
    if (schema.has("anyOf")) {
      JsonNode either = schema.get("anyOf");
      return sample(either.get(random.nextInt(either.size())));
    }
    if (schema.has("enum")) {
      return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
    }
    return switch (schema.get("type").asText()) {
      case "object" -> object(schema);
      case "array" -> array(schema);
      case "null" -> JSON.nullNode();
      case "integer" -> JSON.valueToTree(whole(schema));
      case "number" -> JSON.valueToTree(random.nextInt(1, 1001) / 1000.0);
      case "boolean" -> JSON.valueToTree(random.nextBoolean());
      default -> JSON.valueToTree(text(schema));
    };
  }

  private JsonNode array(JsonNode schema) {
    var array = JSON.createArrayNode();
    return random.nextBoolean() ? array.add(sample(schema.get("items"))) : array;
  }

  private JsonNode object(JsonNode schema) {
    var object = JSON.createObjectNode();
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    // Few at a time of many, as some contradict each other.
    int rare = Math.max(4, schema.get("properties").size() / 2);
    for (Map.Entry<String, JsonNode> property : schema.get("properties").properties()) {
      if (required.contains(property.getKey()) || random.nextInt(rare) == 0) {
        object.set(property.getKey(), sample(property.getValue()));
      }
    }
    return object;
  }

  private long whole(JsonNode schema) {
    long least = schema.path("minimum").asLong();
    long most = schema.path("maximum").asLong(Long.MAX_VALUE);
    return switch (random.nextInt(4)) {
      case 0 -> least;
      case 1 -> most;
      default -> least + random.nextLong(Math.min(3, most - least) + 1);
    };
  }

  private String text(JsonNode schema) {
    if (schema.path("format").asText().equals("date-time")) {
      return MOMENTS.get(random.nextInt(MOMENTS.size()));
    }
    return schema.has("pattern")
        ? (random.nextBoolean() ? "a" : "b")
        : "\u00e9 \"x\" " + random.nextInt(9);
  }

  /** JSON with something wrong in it, now and then. */
  private String damaged(String body) {
    int at = random.nextInt(body.length());
    return switch (random.nextInt(12)) {
      case 0 -> body.substring(0, at);
      case 1 -> body.substring(0, at) + (char) (' ' + random.nextInt(95)) + body.substring(at);
      case 2 -> body.substring(0, at) + (char) random.nextInt(0xd800) + body.substring(at + 1);
      case 3 -> body.replaceFirst(":\\s*[^,}]+", ": " + wrongValue());
      case 4 -> "[".repeat(1 + random.nextInt(60_000));
      case 5 -> "{\"x\": \"" + "y".repeat(random.nextInt(100_000)) + "\"}";
      default -> body;
    };
  }

  private String wrongValue() {
    List<String> values =
        List.of(
            "null", "-1", "1e300", "0.00001", "[]", "{}", "\"\"", "true", "9223372036854775808");
    return values.get(random.nextInt(values.size()));
  }

  /** Compares a value with the document alone, and collects the differences. */
  private void matches(JsonNode schema, JsonNode value, String where, List<String> wrong) {
    if (schema.has("$ref")) {
      matches(document.at(schema.get("$ref").asText().substring(1)), value, where, wrong);
    } else if (schema.has("anyOf")) {
      boolean any = false;
      for (JsonNode one : schema.get("anyOf")) {
        List<String> other = new ArrayList<>();
        matches(one, value, where, other);
        any |= other.isEmpty();
      }
      if (!any) {
        wrong.add(where + " is none of " + schema);
      }
    } else {
      plain(schema, value, where, wrong);
    }
  }

  private void plain(JsonNode schema, JsonNode value, String where, List<String> wrong) {
    boolean right =
        switch (schema.get("type").asText()) {
          case "object" -> value.isObject();
          case "array" -> value.isArray();
          case "string" -> value.isTextual();
          case "integer" -> value.isIntegralNumber();
          case "number" -> value.isNumber();
          case "boolean" -> value.isBoolean();
          case "null" -> value.isNull();
          default -> false;
        };
    if (!right) {
      wrong.add(where + " is not " + schema.get("type") + ": " + value);
      return;
    }
    if (schema.has("minimum") && value.asLong() < schema.get("minimum").asLong()) {
      wrong.add(where + " is too small: " + value);
    }
    if (schema.path("format").asText().equals("date-time")
        && !value.asText().matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z")) {
      wrong.add(where + " is no moment: " + value);
    }
    schema
        .path("required")
        .forEach(
            name -> {
              if (!value.has(name.asText())) {
                wrong.add(where + " has no " + name);
              }
            });
    for (Map.Entry<String, JsonNode> property : value.properties()) {
      JsonNode known = schema.path("properties").get(property.getKey());
      if (known != null) {
        matches(known, property.getValue(), where + "." + property.getKey(), wrong);
      } else if (schema.path("additionalProperties").isBoolean()) {
        wrong.add(where + " has " + property.getKey());
      }
    }
    if (value.isArray()) {
      value.forEach(one -> matches(schema.get("items"), one, where + "[]", wrong));
    }
  }
}
