// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A collector: it reads what of OTLP's messages it needs (opentelemetry-proto, metrics.proto and
 * trace.proto, by the numbers of their fields).
 */
final class OtlpReceiver implements AutoCloseable {
  /** A span, with its attributes as text. */
  record Span(String trace, String name, long nanos, Map<String, String> attributes) {}

  /** By family and labels, the last figure. */
  final Map<String, Double> figures = new ConcurrentHashMap<>();

  final BlockingQueue<Span> spans = new LinkedBlockingQueue<>();
  final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
  private final HttpServer server;

  OtlpReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/metrics", at -> take(at, this::metrics));
    server.createContext("/v1/traces", at -> take(at, this::traces));
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Fields of a message. */
  @FunctionalInterface
  private interface Field {
    /** Its bytes, or eight of them for a number. */
    void at(int number, ByteBuffer value);
  }

  private void take(HttpExchange asked, Field of) throws IOException {
    tokens.add(String.valueOf(asked.getRequestHeaders().getFirst("Authorization")));
    each(ByteBuffer.wrap(asked.getRequestBody().readAllBytes()), of);
    asked.getResponseHeaders().add("Content-Type", "application/x-protobuf");
    asked.sendResponseHeaders(200, -1);
    asked.close();
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private static void each(ByteBuffer in, Field field) {
    in.order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      long tag = varint(in);
      int length =
          switch ((int) tag & 7) {
            case 0 -> 0;
            case 1 -> Long.BYTES;
            case 2 -> Math.toIntExact(varint(in));
            case 5 -> Integer.BYTES;
            default -> throw new IllegalStateException("no field of protobuf: " + tag);
          };
      if (length == 0 && ((int) tag & 7) == 0) {
        ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        field.at((int) (tag >> 3), number.putLong(varint(in)).flip());
      } else {
        field.at((int) (tag >> 3), in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN));
        in.position(in.position() + length);
      }
    }
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return new String(bytes, UTF_8);
  }

  /** Those of a message, whose number is known; a value is of {@code AnyValue}. */
  private static Map<String, String> attributes(ByteBuffer message, int field) {
    Map<String, String> all = new TreeMap<>();
    each(
        message.duplicate(),
        (number, value) -> {
          if (number == field) {
            String[] pair = {"", ""};
            each(
                value,
                (part, its) -> {
                  if (part == 1) {
                    pair[0] = text(its);
                  } else {
                    each(its, (kind, one) -> pair[1] = kind == 3 ? "" + one.getLong() : text(one));
                  }
                });
            all.put(pair[0], pair[1]);
          }
        });
    return all;
  }

  /** Looks into messages that lie in each other, by the numbers of the fields that have them. */
  private static void within(ByteBuffer message, Field at, int... path) {
    each(
        message,
        (number, value) -> {
          if (number == path[0] && path.length == 1) {
            at.at(number, value);
          } else if (number == path[0]) {
            within(value, at, Arrays.copyOfRange(path, 1, path.length));
          }
        });
  }

  /** A resource's metrics, a scope's, each of them. */
  private void metrics(int field, ByteBuffer resource) {
    within(resource, (_, metric) -> metric(metric), 2, 2);
  }

  private void metric(ByteBuffer metric) {
    String[] name = {""};
    each(
        metric.duplicate(),
        (number, value) -> {
          if (number == 1) {
            name[0] = text(value);
          }
        });
    // A gauge or a sum has points.
    for (int kind : new int[] {5, 7}) {
      within(metric.duplicate(), (_, point) -> point(name[0], point), kind, 1);
    }
  }

  private void point(String name, ByteBuffer point) {
    Map<String, String> labels = attributes(point, 7);
    each(
        point.duplicate(),
        (number, value) -> {
          if (number == 4) {
            figures.put(name + labels, value.getDouble());
          }
        });
  }

  private void traces(int field, ByteBuffer resource) {
    within(resource, (_, span) -> span(span), 2, 2);
  }

  private void span(ByteBuffer span) {
    String[] texts = {"", ""};
    long[] moments = {0, 0};
    each(
        span.duplicate(),
        (number, value) -> {
          switch (number) {
            case 1 -> {
              byte[] id = new byte[value.remaining()];
              value.get(id);
              texts[0] = HexFormat.of().formatHex(id);
            }
            case 5 -> texts[1] = text(value);
            case 7, 8 -> moments[number - 7] = value.getLong();
            default -> {}
          }
        });
    spans.add(new Span(texts[0], texts[1], moments[1] - moments[0], attributes(span, 9)));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
