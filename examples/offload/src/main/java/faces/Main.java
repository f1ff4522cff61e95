// SPDX-License-Identifier: Apache-2.0
package faces;

import io.outboard.offload.client.Code;
import io.outboard.offload.client.Offloading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Finds the faces of a drawn crowd on a backend. */
public final class Main {
  private static final int WIDTH = 400;
  private static final int HEIGHT = 300;
  private static final int WALL = 90;
  private static final int SKIN = 200;
  private static final int DARK = 60;
  private static final int NOISE = 20;
  private static final List<Box> DRAWN =
      List.of(new Box(30, 40, 60, 1), new Box(150, 100, 120, 1), new Box(310, 200, 80, 1));

  private Main() {}

  /** The backend's place, the file of its token, and the jar. */
  public static void main(String[] arguments) throws Exception {
    try (Offloading backend =
        Offloading.to(arguments[0])
            .token(Files.readString(Path.of(arguments[1])))
            .code(Code.of(Path.of(arguments[2])))
            .build()) {
      List<Box> found = FacesRemote.of(backend).find(WIDTH, HEIGHT, crowd());
      long right =
          DRAWN.stream()
              .filter(face -> found.stream().anyMatch(box -> box.overlap(face) > 0.5))
              .count();
      System.out.println(right + " of " + DRAWN.size() + " faces, " + found.size() + " boxes");
    }
  }

  static byte[] crowd() {
    byte[] grey = new byte[WIDTH * HEIGHT];
    Arrays.fill(grey, (byte) WALL);
    for (Box face : DRAWN) {
      ellipse(grey, face, 0.5, 0.5, 0.42, 0.5, SKIN);
      ellipse(grey, face, 0.3, 0.37, 0.1, 0.07, DARK);
      ellipse(grey, face, 0.7, 0.37, 0.1, 0.07, DARK);
      ellipse(grey, face, 0.5, 0.76, 0.18, 0.05, DARK);
    }
    Random random = new Random(59);
    for (int i = 0; i < grey.length; i++) {
      grey[i] += (byte) (random.nextInt(NOISE) - NOISE / 2);
    }
    return grey;
  }

  /** Fills one, whose middle and radii are parts of a face's side. */
  private static void ellipse(
      byte[] grey, Box face, double x, double y, double wide, double high, int shade) {
    for (int row = face.y(); row < face.y() + face.side(); row++) {
      for (int column = face.x(); column < face.x() + face.side(); column++) {
        double dx = ((column - face.x()) / (double) face.side() - x) / wide;
        double dy = ((row - face.y()) / (double) face.side() - y) / high;
        if (dx * dx + dy * dy <= 1) {
          grey[row * WIDTH + column] = (byte) shade;
        }
      }
    }
  }
}
