// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.console;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The files of the console, which are in jars: a fixed set, whatever a path says. */
public final class ConsoleFiles {
  /** Where it is. */
  public static final String PATH = "/console/";

  private static final String WEB_JARS = "/META-INF/resources/webjars/";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";

  /**
   * Scripts and styles are files of this server, and nothing else comes from anywhere. Nobody may
   * frame the page; an address in it is told to nobody.
   */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Referrer-Policy",
          "no-referrer",
          "X-Frame-Options",
          "DENY");

  private final Map<String, Reply> files = new LinkedHashMap<>();
  private final OwnHosts hosts;

  /** Reads them. */
  public ConsoleFiles(OwnHosts hosts) {
    this.hosts = hosts;
    add("", "index.html", "text/html; charset=utf-8");
    add("style.css", STYLE);
    add("icon.svg", "image/svg+xml");
    add("signed-in.html", "text/html; charset=utf-8");
    for (String script :
        new String[] {
          "main.js",
          "server.js",
          "sign-in.js",
          "signed-in.js",
          "parts.js",
          "table.js",
          "actions.js",
          "views.js",
          "charts.js"
        }) {
      add(script, SCRIPT);
    }
    add("preact.js", WEB_JARS + "preact/10.25.4/dist/preact.min.umd.js", SCRIPT);
    add("hooks.js", WEB_JARS + "preact/10.25.4/hooks/dist/hooks.umd.js", SCRIPT);
    add("uplot.js", WEB_JARS + "uplot/1.6.30/dist/uPlot.iife.min.js", SCRIPT);
    add("uplot.css", WEB_JARS + "uplot/1.6.30/dist/uPlot.min.css", STYLE);
  }

  private void add(String file, String type) {
    add(file, file, type);
  }

  private void add(String path, String resource, String type) {
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the jar has no " + resource);
      }
      files.put(
          PATH + path, new Reply(Reply.OK, type, in.readAllBytes(), HEADERS, Optional.empty()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The answer to a request for one of them; none where the path is not the console's.
   *
   * @throws Problem if there is no such file, or the request is not for this server
   */
  public Optional<Reply> answer(Request request) throws Problem {
    String path = request.path();
    boolean moved = path.equals("/") || path.equals("/console");
    if (!moved && !path.startsWith(PATH)) {
      return Optional.empty();
    }
    hosts.checkName(request);
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      throw new Problem(Problem.METHOD_NOT_ALLOWED, "here is only GET, HEAD");
    }
    return Optional.of(moved ? moved() : file(path));
  }

  private static Reply moved() {
    return Reply.of(Reply.MOVED, "text/plain", "").with(Map.of("Location", PATH));
  }

  private Reply file(String path) throws Problem {
    Reply file = files.get(path);
    if (file == null) {
      throw new Problem(Problem.NOT_FOUND, "there is nothing at this path");
    }
    return file;
  }
}
