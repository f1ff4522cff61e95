// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack;

import io.outboard.api.json.Ordered;
import io.outboard.office.rest.Fields;
import io.outboard.office.rest.RestAnswer;
import io.outboard.office.rest.RestClient;
import io.outboard.office.rest.RestException;
import io.outboard.office.testkit.TestOffice;
import io.outboard.openstack.cloud.Credentials;
import io.outboard.openstack.cloud.Keystone;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** People of a cloud, of which a tape knows: they have the services do what users do. */
final class Scene {
  private static final int LOOKS = 200;
  private static final long PAUSE_MILLIS = 700;

  private final Tape tape;
  private final RestClient rest;

  Scene(Tape tape) throws IOException {
    this.tape = tape;
    this.rest = TestOffice.rest();
  }

  /** An account of {@code conformance/openstack}, whose passwords are the names. */
  Credentials account(String user, String project) {
    return new Credentials(
        tape.at("identity"), user, "Default", user, project, "Default", "RegionOne");
  }

  /** The time is that of the tape, as tokens end. */
  Keystone keystone() {
    return new Keystone(account("outboard", "service"), rest, InstantSource.fixed(tape.begin()));
  }

  /** Somebody's token. */
  String token(String user, String project) throws IOException {
    Map<String, Object> identity =
        Ordered.of(
            "methods",
            List.of("password"),
            "password",
            Map.of(
                "user",
                Ordered.of("name", user, "domain", Map.of("name", "Default"), "password", user)));
    Map<String, Object> scope =
        Map.of("project", Ordered.of("name", project, "domain", Map.of("name", "Default")));
    URI where = URI.create(tape.at("identity") + "/v3/auth/tokens");
    Map<String, Object> body = Map.of("auth", Ordered.of("identity", identity, "scope", scope));
    return rest.ask("POST", where, Map.of(), body).token();
  }

  /** Takes a token back. */
  void revoke(String token) throws IOException {
    URI where = URI.create(tape.at("identity") + "/v3/auth/tokens");
    Map<String, String> headers = Map.of("X-Auth-Token", token, "X-Subject-Token", token);
    RestAnswer unused = rest.ask("DELETE", where, headers, null);
  }

  /** An image that is there. */
  String image(String token) throws IOException {
    URI where = URI.create(tape.at("image") + "/v2/images");
    Map<String, String> headers = Map.of("X-Auth-Token", token);
    return rest.ask("GET", where, headers, null).body().objects("images").getFirst().text("id");
  }

  /** Asks Nova. */
  Fields nova(String token, String method, String path, Object body) throws IOException {
    URI where = URI.create(tape.at("compute") + "/v2.1" + path);
    Map<String, String> headers =
        Map.of("X-Auth-Token", token, "OpenStack-API-Version", "compute 2.90");
    return rest.ask(method, where, headers, body).body();
  }

  /** Boots a machine; returns its id. */
  String boot(String token, String name, String flavor, String image) throws IOException {
    Map<String, Object> server =
        Ordered.of("name", name, "imageRef", image, "flavorRef", flavor, "networks", "none");
    return nova(token, "POST", "/servers", Map.of("server", server)).object("server").text("id");
  }

  Fields server(String token, String id) throws IOException {
    return nova(token, "GET", "/servers/" + id, null).object("server");
  }

  /** Does something to a machine, as {@code os-stop}. */
  void act(String token, String id, String what) throws IOException {
    Fields unused = nova(token, "POST", "/servers/" + id + "/action", Ordered.of(what, null));
  }

  /** Waits until Nova has finished with a machine, in a state. */
  Fields await(String token, String id, String status) throws Exception {
    for (int left = LOOKS; ; left--) {
      Fields server = server(token, id);
      if (server.text("status").equals(status) && server.text("OS-EXT-STS:task_state").isEmpty()) {
        return server;
      }
      if (left == 0) {
        throw new IOException("machine %s is %s".formatted(id, server.text("status")));
      }
      pause();
    }
  }

  /** Waits until a machine is elsewhere. */
  void awaitHost(String token, String id, String before) throws Exception {
    for (int left = LOOKS; ; left--) {
      String host = server(token, id).text("OS-EXT-SRV-ATTR:host");
      if (!host.equals(before)) {
        return;
      }
      if (left == 0) {
        throw new IOException("machine %s is still at %s".formatted(id, host));
      }
      pause();
    }
  }

  void awaitGone(String token, String id) throws Exception {
    try {
      for (int left = LOOKS; left > 0; left--) {
        Fields unused = server(token, id);
        pause();
      }
    } catch (RestException e) {
      if (e.status() != RestException.NOT_FOUND) {
        throw e;
      }
    }
  }

  private void pause() throws InterruptedException {
    if (tape.records()) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }
}
