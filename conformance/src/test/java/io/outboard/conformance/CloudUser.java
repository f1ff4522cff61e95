// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/**
 * An account of a {@link SmallCloud} that asks its services itself: OpenStack's command takes
 * seconds of a processor to start. The password is the name.
 */
final class CloudUser {
  /** Keystone. */
  static final String IDENTITY = "http://127.0.0.1:25000/v3";

  private static final int TRIES = 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final String token;
  private final String project;

  /** Signs in. */
  CloudUser(String name, String project) throws IOException, InterruptedException {
    Map<String, Object> domain = Map.of("name", "Default");
    Map<String, Object> user = Map.of("name", name, "domain", domain, "password", name);
    Map<String, Object> identity =
        Map.of("methods", List.of("password"), "password", Map.of("user", user));
    Map<String, Object> scope = Map.of("project", Map.of("name", project, "domain", domain));
    HttpResponse<String> told =
        asking("none", "POST", IDENTITY + "/auth/tokens", auth(identity, scope));
    token = told.headers().firstValue("X-Subject-Token").orElseThrow();
    this.project = JSON.readTree(told.body()).at("/token/project/id").asText();
  }

  private static Map<String, Object> auth(Object identity, Object scope) {
    return Map.of("auth", Map.of("identity", identity, "scope", scope));
  }

  /** The id of the account's project. */
  String project() {
    return project;
  }

  /** Asks a service; a body of null for none. */
  HttpResponse<String> ask(String method, String where, Map<String, Object> body)
      throws IOException, InterruptedException {
    return asking(token, method, where, body);
  }

  /** Sends bytes as they are. */
  HttpResponse<String> put(String where, byte[] bytes) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(where))
            .header("X-Auth-Token", token)
            .header("Content-Type", "application/octet-stream")
            .PUT(BodyPublishers.ofByteArray(bytes))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** The rights of a service. */
  JsonNode get(String where) throws IOException, InterruptedException {
    return JSON.readTree(ask("GET", where, null).body());
  }

  private HttpResponse<String> asking(
      String token, String method, String where, Map<String, Object> body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(where))
            .header("X-Auth-Token", token)
            .header("OpenStack-API-Version", "compute 2.90, placement 1.27")
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build();
    for (int left = method.equals("POST") ? 1 : TRIES; ; left--) {
      try {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
      } catch (IOException e) {
        // The server of some services closes a connection behind each answer, and does not say so.
        if (left <= 1) {
          throw e;
        }
      }
    }
  }
}
