// SPDX-License-Identifier: Apache-2.0
package filter;

import io.outboard.offload.client.Code;
import io.outboard.offload.client.Offloading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Blurs a picture on a backend's GPU, and compares it with what comes out here. */
public final class Main {
  private Main() {}

  /** The backend's place, the file of its token, the jar, and the picture's width. */
  public static void main(String[] arguments) throws Exception {
    int width = Integer.parseInt(arguments[3]);
    try (Offloading backend =
        Offloading.to(arguments[0])
            .token(Files.readString(Path.of(arguments[1])))
            .code(Code.of(Path.of(arguments[2])))
            .build()) {
      Filter filter = FilterRemote.of(backend);
      Photo photo = stripes(width);
      try {
        boolean equal =
            Arrays.equals(filter.blur(photo).grey(), new PlainFilter().blur(photo).grey());
        System.out.println(
            (equal ? "blurred as here, on " : "blurred otherwise than here, on ") + filter.where());
      } catch (FilterException e) {
        System.out.println("not blurred: " + e.getMessage());
      }
    }
  }

  private static Photo stripes(int width) {
    byte[] grey = new byte[width * width];
    for (int i = 0; i < grey.length; i++) {
      grey[i] = (byte) (i * i / 7);
    }
    return new Photo(width, width, grey);
  }
}
