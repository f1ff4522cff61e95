// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/** Reads the parts of requests (RFC 9112), each up to a bound. */
public final class HttpInput {
  /** Most bytes of the lines of a request before its body. */
  static final int MOST_HEAD = 32 << 10;

  private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{1,8}");
  private static final int HEXADECIMAL = 16;
  // A length has no more digits than fit in a long.
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  private final InputStream in;
  private int left;

  public HttpInput(InputStream in) {
    this.in = in;
  }

  /** Waits for the next request; false if none comes. */
  public boolean hasNext() throws IOException {
    left = MOST_HEAD;
    in.mark(1);
    int next = in.read();
    in.reset();
    return next >= 0;
  }

  /**
   * The next line, without its end, which is CR LF and nothing else: a proxy before this server may
   * take another end for none (RFC 9112, 2.2).
   */
  String line() throws IOException, Problem {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = read(); next != '\r'; next = read()) {
      if (next == '\n') {
        throw new Problem(Problem.BAD_REQUEST, "a line ends with CR LF");
      }
      line.write(next);
    }
    if (read() != '\n') {
      throw new Problem(Problem.BAD_REQUEST, "a line ends with CR LF");
    }
    return line.toString(ISO_8859_1);
  }

  private int read() throws IOException, Problem {
    if (left-- == 0) {
      throw new Problem(
          Problem.BAD_REQUEST, "a request has at most " + MOST_HEAD + " bytes before its body");
    }
    int next = in.read();
    if (next < 0) {
      throw new EOFException("the request ends in its midst");
    }
    return next;
  }

  /** The number of a header Content-Length. */
  static long length(String text) throws Problem {
    if (!LENGTH.matcher(text).matches()) {
      throw new Problem(Problem.BAD_REQUEST, "Content-Length is no length");
    }
    return Long.parseLong(text);
  }

  /** A body of so many bytes. */
  byte[] body(int length) throws IOException {
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the body ends in its midst");
    }
    return body;
  }

  /** A body in chunks (RFC 9112, 7.1), of which more than {@code most} bytes are not read. */
  byte[] chunks(int most) throws IOException, Problem {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      if (body.size() + (long) size > most) {
        return new byte[most + 1];
      }
      body.write(body(size));
      expectEmpty(line());
    }
    for (String trailer = line(); !trailer.isEmpty(); trailer = line()) {
      // Nothing that is wanted comes so.
    }
    return body.toByteArray();
  }

  private int chunkSize() throws IOException, Problem {
    String size = line().split(";", 2)[0].strip();
    if (!SIZE.matcher(size).matches()) {
      throw new Problem(Problem.BAD_REQUEST, "a chunk has no size");
    }
    return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(size, HEXADECIMAL));
  }

  private static void expectEmpty(String line) throws Problem {
    if (!line.isEmpty()) {
      throw new Problem(Problem.BAD_REQUEST, "a chunk is longer than its size");
    }
  }
}
