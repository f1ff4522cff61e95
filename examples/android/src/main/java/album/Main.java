// SPDX-License-Identifier: Apache-2.0
package album;

import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Map;

/** Stands for a screen, where there is no device. */
public final class Main {
  private static final int SIDE = 64;

  private Main() {}

  /** The backend's place, the file of its token, and the SHA-256 of the jar. */
  public static void main(String[] arguments) throws Exception {
    String token = new String(Files.readAllBytes(Paths.get(arguments[1])), "UTF-8");
    try (Gallery gallery = new Gallery(arguments[0], token.trim(), arguments[2])) {
      Map<String, Picture> pictures =
          Map.of("blurred", stripes(16), "sharp", stripes(1), "grey", stripes(SIDE));
      System.out.println(gallery.sharpest(pictures).get().orElse("none") + " is the sharpest");
    }
  }

  private static Picture stripes(int wide) {
    byte[] grey = new byte[SIDE * SIDE];
    for (int i = 0; i < grey.length; i++) {
      grey[i] = (byte) (i / wide % 2 == 0 ? 0 : 100);
    }
    return new Picture(SIDE, SIDE, grey);
  }
}
