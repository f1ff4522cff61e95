// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.usage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines in a frame, as SVG. */
public final class Plot {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 320;
  private static final int LEFT = 60;
  private static final int RIGHT = 20;
  private static final int TOP = 36;
  private static final int BOTTOM = 48;
  private static final int TICKS = 5;
  private static final List<String> COLOURS =
      List.of(
          "#0b6e99", "#c2410c", "#4d7c0f", "#9f1239", "#6d28d9", "#0f766e", "#a16207", "#475569",
          "#be185d");

  private final String title;
  private final Axis x;
  private final Axis y;
  private final List<Line> lines = new ArrayList<>();

  /**
   * An axis.
   *
   * @param logarithmic whether equal factors are equally long; its least value is above 0 then
   */
  public record Axis(String label, double least, double most, boolean logarithmic) {
    double part(double value) {
      double low = scaled(least);
      return (scaled(Math.clamp(value, least, most)) - low) / (scaled(most) - low);
    }

    private double scaled(double value) {
      return logarithmic ? Math.log10(value) : value;
    }

    double at(double part) {
      double low = scaled(least);
      double value = low + part * (scaled(most) - low);
      return logarithmic ? Math.pow(10, value) : value;
    }
  }

  /** A point. */
  public record Point(double x, double y) {}

  private record Line(String name, List<Point> points) {}

  /** An empty one. */
  public Plot(String title, Axis x, Axis y) {
    this.title = title;
    this.x = x;
    this.y = y;
  }

  /** Adds a line. */
  public Plot line(String name, List<Point> points) {
    lines.add(new Line(name, points));
    return this;
  }

  /** All of it. */
  public String svg() {
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        String.format(
            Locale.ROOT,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
                + " font-size='12'>",
            WIDTH,
            HEIGHT));
    add(svg, String.format(Locale.ROOT, "<title>%s</title>", title));
    add(
        svg,
        String.format(Locale.ROOT, "<rect width='%d' height='%d' fill='white'/>", WIDTH, HEIGHT));
    add(
        svg,
        String.format(Locale.ROOT, "<text x='%d' y='20' font-size='14'>%s</text>", LEFT, title));
    for (int tick = 0; tick <= TICKS; tick++) {
      ticks(svg, (double) tick / TICKS);
    }
    add(
        svg,
        String.format(
            Locale.ROOT,
            "<text x='%d' y='%d' text-anchor='middle'>%s</text>",
            (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 10,
            x.label));
    add(
        svg,
        String.format(
            Locale.ROOT,
            "<text transform='translate(14 %d) rotate(-90)' text-anchor='middle'>%s</text>",
            (TOP + HEIGHT - BOTTOM) / 2,
            y.label));
    for (int i = 0; i < lines.size(); i++) {
      draw(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), i);
    }
    return svg.append("</svg>\n").toString();
  }

  private void ticks(StringBuilder svg, double part) {
    double right = LEFT + part * (WIDTH - LEFT - RIGHT);
    double down = HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
    add(
        svg,
        String.format(
            Locale.ROOT,
            "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#ddd'/>",
            LEFT,
            WIDTH - RIGHT,
            down,
            down));
    add(
        svg,
        String.format(
            Locale.ROOT,
            "<text x='%d' y='%.1f' text-anchor='end'>%s</text>",
            LEFT - 6,
            down + 4,
            tick(y, part)));
    add(
        svg,
        String.format(
            Locale.ROOT,
            "<text x='%.1f' y='%d' text-anchor='middle'>%s</text>",
            right,
            HEIGHT - BOTTOM + 16,
            tick(x, part)));
  }

  private static String tick(Axis axis, double part) {
    double value = axis.at(part);
    boolean whole = value >= 100 || Math.abs(value - Math.rint(value)) < 0.05;
    return String.format(Locale.ROOT, whole ? "%.0f" : "%.1f", value);
  }

  private void draw(StringBuilder svg, Line line, String colour, int number) {
    StringBuilder points = new StringBuilder();
    for (Point point : line.points) {
      points.append(
          String.format(
              Locale.ROOT,
              "%.1f,%.1f ",
              LEFT + x.part(point.x) * (WIDTH - LEFT - RIGHT),
              HEIGHT - BOTTOM - y.part(point.y) * (HEIGHT - TOP - BOTTOM)));
    }
    add(
        svg,
        String.format(
            Locale.ROOT,
            "<polyline fill='none' stroke='%s' stroke-width='1.5' points='%s'/>",
            colour,
            points.toString().strip()));
    add(
        svg,
        String.format(
            Locale.ROOT,
            "<text x='%d' y='%d' fill='%s'>%s</text>",
            LEFT + 12,
            TOP + 14 + 16 * number,
            colour,
            escaped(line.name)));
  }

  /** XML 1.0, 2.4. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static void add(StringBuilder svg, String element) {
    svg.append(element).append('\n');
  }
}
