// SPDX-License-Identifier: Apache-2.0
package faces;

import io.outboard.offload.Offloaded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds faces by contrasts of rectangles, after Viola and Jones: eyes are darker than cheeks and
 * than the bridge of the nose, a mouth is darker than what is above and below it. Squares of all
 * places and sizes are tried; of those that overlap the surest stays.
 */
@Offloaded
public final class LocalFaces implements Faces {
  private static final int LEAST_SIDE = 24;
  private static final double GROWTH = 1.2;
  private static final int STEPS = 16;

  /** A square with less contrast is a wall. */
  private static final double LEAST_DEVIATION = 12;

  private static final double LEAST_SURENESS = 0.45;
  private static final double SAME = 0.15;
  private static final int MOST = 100;

  @Override
  public List<Box> find(int width, int height, byte[] grey) throws NoPictureException {
    if (width < 1 || height < 1 || (long) width * height != grey.length) {
      throw new NoPictureException(grey.length + " pixels are not " + width + " x " + height);
    }
    Sums sums = new Sums(width, height, grey);
    List<Box> found = new ArrayList<>();
    for (int side = LEAST_SIDE; side <= Math.min(width, height); side = (int) (side * GROWTH)) {
      int step = Math.max(1, side / STEPS);
      for (int y = 0; y + side <= height; y += step) {
        for (int x = 0; x + side <= width; x += step) {
          double sureness = sureness(sums, x, y, side);
          if (sureness >= LEAST_SURENESS) {
            found.add(new Box(x, y, side, sureness));
          }
        }
      }
    }
    return surest(found);
  }

  private static double sureness(Sums sums, int x, int y, int side) {
    double deviation = sums.deviation(x, y, side);
    if (deviation < LEAST_DEVIATION) {
      return 0;
    }
    double left = sums.mean(x, y, side, 0.2, 0.3, 0.4, 0.45);
    double right = sums.mean(x, y, side, 0.6, 0.3, 0.8, 0.45);
    double eyes = Math.max(left, right);
    double nose = sums.mean(x, y, side, 0.45, 0.3, 0.55, 0.55);
    double cheeks =
        Math.min(
            sums.mean(x, y, side, 0.2, 0.5, 0.4, 0.65), sums.mean(x, y, side, 0.6, 0.5, 0.8, 0.65));
    double brow = sums.mean(x, y, side, 0.3, 0.1, 0.7, 0.22);
    double mouth = sums.mean(x, y, side, 0.35, 0.72, 0.65, 0.8);
    double lip = sums.mean(x, y, side, 0.35, 0.6, 0.65, 0.68);
    double chin = sums.mean(x, y, side, 0.35, 0.85, 0.65, 0.92);
    double least = Math.min(Math.min(nose, cheeks), brow) - eyes;
    return Math.min(least, Math.min(lip, chin) - mouth) / deviation;
  }

  private static List<Box> surest(List<Box> found) {
    found.sort(Comparator.comparingDouble(Box::sureness).reversed());
    List<Box> kept = new ArrayList<>();
    for (Box one : found) {
      if (kept.size() < MOST && kept.stream().noneMatch(other -> other.overlap(one) > SAME)) {
        kept.add(one);
      }
    }
    return kept;
  }
}
