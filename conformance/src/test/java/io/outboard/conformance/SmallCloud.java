// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** OpenStack's services on this machine, with Nova's fake hosts: {@code conformance/openstack}. */
final class SmallCloud {
  /** The services of Nova. */
  static final List<String> NOVA =
      List.of("nova-api", "nova-conductor", "nova-scheduler", "nova-compute", "nova-compute2");

  /** As the page has it, so that it is made once. */
  private static final Path ROOT = Path.of("/var/tmp/outboard-cloud");

  private static final Path SCRIPT = Home.PATH.resolve("conformance/openstack/cloud");
  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String COMPUTE = "http://127.0.0.1:28774/v2.1";
  private static final String IMAGES = "http://127.0.0.1:29292/v2/images";
  private static final String METADATA =
      "http://127.0.0.1:28775/openstack/latest/vendor_data2.json";
  private static final String SECRET = "metadata";
  private static final String GUEST = "10.0.0.9";
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  /** How often a machine is looked for that is being deleted, before the operator steps in. */
  private static final int LOOKS = 20;

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final HttpClient http = HttpClient.newHttpClient();
  private final CloudUser alice = new CloudUser("alice", "demo");
  private final CloudUser operator = new CloudUser("admin", "demo");
  private final String image;

  private SmallCloud() throws IOException, InterruptedException {
    Map<String, Object> aggregate = Map.of("name", "remote-gpus");
    JsonNode made = made("/os-aggregates", Map.of("aggregate", aggregate)).get("aggregate");
    for (String host : List.of("host1", "host2")) {
      JsonNode unused =
          made(
              "/os-aggregates/" + made.get("id") + "/action",
              Map.of("add_host", Map.of("host", host)));
    }
    image = nothing();
  }

  static boolean isHere() {
    return Files.isExecutable(ROOT.resolve("usr/bin/nova-api"));
  }

  /** Why it is not. */
  static String absent() {
    return "no OpenStack is there: " + SCRIPT + " make " + ROOT;
  }

  /** Ends one that somebody has started. */
  static void stop() throws IOException, InterruptedException {
    script("stop");
  }

  /** Starts all services, which know nothing yet, and has their hosts be the pool's. */
  static SmallCloud start() throws IOException, InterruptedException {
    stop();
    script("start");
    return new SmallCloud();
  }

  private static void script(String verb, String... words)
      throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of(SCRIPT.toString(), verb, ROOT.toString()), Stream.of(words))
            .toList();
    Program.Ended ended = Program.run(command, Map.of(), LIMIT);
    assertEquals(0, ended.status(), ended::toString);
  }

  /** Has the operator make something of Nova's. */
  private JsonNode made(String path, Map<String, Object> body)
      throws IOException, InterruptedException {
    return made(operator, path, body);
  }

  private static JsonNode made(CloudUser user, String path, Map<String, Object> body)
      throws IOException, InterruptedException {
    HttpResponse<String> told = user.ask("POST", COMPUTE + path, body);
    assertEquals(2, told.statusCode() / 100, told::body);
    return told.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(told.body());
  }

  /** An image of nothing, for everybody; returns its id. */
  private String nothing() throws IOException, InterruptedException {
    Map<String, Object> kind =
        Map.of(
            "name",
            "nothing",
            "disk_format",
            "raw",
            "container_format",
            "bare",
            "visibility",
            "public");
    String id = JSON.readTree(operator.ask("POST", IMAGES, kind).body()).path("id").asText();
    HttpResponse<String> told = operator.put(IMAGES + "/" + id + "/file", new byte[1024]);
    assertEquals(2, told.statusCode() / 100, told::body);
    return id;
  }

  /** The id of an image of nothing. */
  String image() {
    return image;
  }

  /** Makes a flavor of one small processor; returns its name. */
  String plainFlavor() throws IOException, InterruptedException {
    String name = "m1.nano";
    Map<String, Object> flavor = Map.of("name", name, "vcpus", 1, "ram", 64, "disk", 1);
    JsonNode unused = made("/flavors", Map.of("flavor", flavor));
    return name;
  }

  /** Boots a machine of Alice's; returns its UUID. */
  String boot(String name, String flavor) throws Exception {
    Map<String, Object> server =
        Map.of("name", name, "imageRef", image, "flavorRef", flavorId(flavor), "networks", "none");
    String id = made(alice, "/servers", Map.of("server", server)).get("server").get("id").asText();
    Patience.until(
        name + " is there",
        () -> {
          String status = alice.get(COMPUTE + "/servers/" + id).at("/server/status").asText();
          assertNotEquals("ERROR", status);
          return status.equals("ACTIVE");
        });
    return id;
  }

  private String flavorId(String name) throws IOException, InterruptedException {
    for (JsonNode flavor : alice.get(COMPUTE + "/flavors").get("flavors")) {
      if (flavor.get("name").asText().equals(name)) {
        return flavor.get("id").asText();
      }
    }
    throw new AssertionError("no flavor " + name);
  }

  /**
   * Deletes a machine of Alice's; whether it is gone. Where a killed service has lost what Nova
   * said, Nova takes no other request for it until the operator has it forget this one.
   */
  boolean deletes(String machine) throws InterruptedException {
    String where = COMPUTE + "/servers/" + machine;
    try {
      int status = alice.ask("DELETE", where, null).statusCode();
      for (int left = LOOKS; left > 0 && status != NOT_FOUND; left--) {
        Thread.sleep(PAUSE);
        status = alice.ask("GET", where, null).statusCode();
      }
      if (status != NOT_FOUND) {
        int unused =
            operator
                .ask("POST", where + "/action", Map.of("os-resetState", Map.of("state", "error")))
                .statusCode();
      }
      return status == NOT_FOUND;
    } catch (IOException e) {
      // Nova is not there yet.
      return false;
    }
  }

  /** The ids of machines of the project that were made for a lease. */
  List<String> machinesOfLeases() throws IOException, InterruptedException {
    List<String> ids = new ArrayList<>();
    for (JsonNode server : alice.get(COMPUTE + "/servers?tags=outboard-lease").get("servers")) {
      ids.add(server.get("id").asText());
    }
    return ids;
  }

  /**
   * This pool's part of what a machine of Alice's reads, as Neutron's proxy asks for it; an empty
   * object for nothing.
   */
  JsonNode vendordata(String machine) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(METADATA))
            .header("X-Instance-ID", machine)
            .header("X-Tenant-ID", alice.project())
            .header("X-Instance-ID-Signature", signature(machine))
            .header("X-Forwarded-For", GUEST)
            .build();
    try {
      HttpResponse<String> told = http.send(request, HttpResponse.BodyHandlers.ofString());
      return told.statusCode() == OK
          ? JSON.readTree(told.body()).path("outboard")
          : JSON.createObjectNode();
    } catch (IOException e) {
      return JSON.createObjectNode();
    }
  }

  private static String signature(String machine) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), mac.getAlgorithm()));
      return HexFormat.of().formatHex(mac.doFinal(machine.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Kills a service. */
  void kill(String service) throws IOException, InterruptedException {
    script("kill", service);
  }

  /** Begins one anew that was killed. */
  void again(String service) throws IOException, InterruptedException {
    script("again", service);
  }
}
