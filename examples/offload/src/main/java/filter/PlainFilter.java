// SPDX-License-Identifier: Apache-2.0
package filter;

/** Filters on the processor, for places without a GPU. */
public final class PlainFilter implements Filter {
  private static final int WINDOW = 9;
  private static final int BYTE = 0xff;

  @Override
  public Photo blur(Photo photo) throws FilterException {
    check(photo);
    byte[] result = new byte[photo.grey().length];
    for (int i = 0; i < result.length; i++) {
      result[i] = mean(photo, i % photo.width(), i / photo.width());
    }
    return new Photo(photo.width(), photo.height(), result);
  }

  static void check(Photo photo) throws FilterException {
    long pixels = (long) photo.width() * photo.height();
    if (photo.width() < 1 || photo.height() < 1 || pixels != photo.grey().length) {
      throw new FilterException(
          photo.grey().length + " pixels are not " + photo.width() + " x " + photo.height());
    }
  }

  private static byte mean(Photo photo, int column, int row) {
    int sum = 0;
    for (int y = row - 1; y <= row + 1; y++) {
      for (int x = column - 1; x <= column + 1; x++) {
        int at = inside(y, photo.height()) * photo.width() + inside(x, photo.width());
        sum += photo.grey()[at] & BYTE;
      }
    }
    return (byte) (sum / WINDOW);
  }

  private static int inside(int at, int length) {
    return Math.max(0, Math.min(length - 1, at));
  }

  @Override
  public String where() {
    return "no GPU";
  }
}
