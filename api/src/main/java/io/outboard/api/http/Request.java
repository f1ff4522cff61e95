// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request of HTTP/1.1 or 1.0 (RFC 9112).
 *
 * @param origin from where it came
 * @param path as it was sent, without a query
 * @param query as it was sent; empty for none
 * @param headers by their names in lower case
 * @param body one byte more than it may have where it has more, which are not read
 * @param most bytes that the body may have
 * @param old whether it is of HTTP/1.0
 */
public record Request(
    Origin origin,
    String method,
    String path,
    String query,
    Map<String, String> headers,
    byte[] body,
    int most,
    boolean old) {
  /** Most bytes of a body. */
  public static final int MOST_BYTES = 64 << 10;

  /** Most bytes of a body of a node of the pool, which has proven that it is one. */
  public static final int MOST_OF_NODE = 4 << 20;

  private static final int MOST_HEADERS = 100;
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final Pattern FIRST_LINE =
      Pattern.compile("(" + TOKEN + ") ([!-~]+) HTTP/1\\.([01])");
  // Spaces around the value belong to it here: parts of a pattern that both match them would try
  // each division of the two.
  private static final Pattern HEADER = Pattern.compile("(" + TOKEN + "):([\\t -~\\x80-\\xff]*)");
  private static final Pattern ABSOLUTE = Pattern.compile("\\A(?i)https?://[^/?]*");
  // A second one would leave open which is meant.
  private static final Set<String> SINGLE =
      Set.of("authorization", "content-length", "content-type", "host", "transfer-encoding");

  /** Asks the client to send its body, which it holds back. */
  @FunctionalInterface
  public interface Invitation {
    void send() throws IOException;
  }

  /**
   * Reads one.
   *
   * @param most bytes that its body may have
   * @throws Problem if it is none; the bytes after it cannot be read then
   */
  public static Request read(HttpInput in, Origin origin, int most, Invitation invitation)
      throws IOException, Problem {
    Matcher first = FIRST_LINE.matcher(in.line());
    if (!first.matches()) {
      throw new Problem(Problem.BAD_REQUEST, "this is no request of HTTP/1.1");
    }
    Map<String, String> headers = headers(in);
    boolean old = first.group(3).equals("0");
    if (!old && !headers.containsKey("host")) {
      throw new Problem(Problem.BAD_REQUEST, "Host is missing");
    }
    String[] target = ABSOLUTE.matcher(first.group(2)).replaceFirst("").split("\\?", 2);
    return new Request(
        origin,
        first.group(1),
        target[0].isEmpty() ? "/" : target[0],
        target.length > 1 ? target[1] : "",
        headers,
        body(in, headers, most, invitation),
        most,
        old);
  }

  private static Map<String, String> headers(HttpInput in) throws IOException, Problem {
    Map<String, String> headers = new HashMap<>();
    int count = 0;
    for (String line = in.line(); !line.isEmpty(); line = in.line()) {
      Matcher header = HEADER.matcher(line);
      if (!header.matches() || ++count > MOST_HEADERS) {
        throw new Problem(Problem.BAD_REQUEST, "a header is none, or there are too many");
      }
      String name = header.group(1).toLowerCase(Locale.ROOT);
      if (headers.put(name, header.group(2).strip()) != null && SINGLE.contains(name)) {
        throw new Problem(Problem.BAD_REQUEST, "a header comes twice");
      }
    }
    return headers;
  }

  private static byte[] body(
      HttpInput in, Map<String, String> headers, int most, Invitation invitation)
      throws IOException, Problem {
    Optional<String> coding = Optional.ofNullable(headers.get("transfer-encoding"));
    Optional<String> length = Optional.ofNullable(headers.get("content-length"));
    boolean clear = coding.isEmpty() || coding.get().equalsIgnoreCase("chunked");
    if (!clear || (coding.isPresent() && length.isPresent())) {
      throw new Problem(Problem.BAD_REQUEST, "it is not clear how long the body is");
    }
    long bytes = length.isPresent() ? HttpInput.length(length.get()) : 0;
    if (bytes > most) {
      return new byte[most + 1];
    }
    if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
      invitation.send();
    }
    return coding.isPresent() ? in.chunks(most) : in.body((int) bytes);
  }

  /** The address from where it came. */
  public InetAddress address() {
    return origin.address();
  }

  /** Whether its body is larger than it may be, and was not read. */
  public boolean isTooLarge() {
    return body.length > most;
  }

  /** Whether another one can follow on its connection. */
  public boolean isLast() {
    boolean closes =
        headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT).contains("close");
    return old || closes || isTooLarge();
  }
}
