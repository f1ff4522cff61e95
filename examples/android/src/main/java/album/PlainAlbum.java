// SPDX-License-Identifier: Apache-2.0
package album;

import io.outboard.offload.Offloaded;
import io.outboard.offload.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Judges them on the processor, of the device or of a backend. */
@Offloaded
public final class PlainAlbum implements Album {
  private static final int LEAST = 2;

  @Override
  public Optional<String> sharpest(Map<String, Picture> pictures) throws AlbumException {
    String best = null;
    long most = -1;
    for (Map.Entry<String, Picture> each : pictures.entrySet()) {
      Mark mark = mark(each.getValue());
      if (mark instanceof Mark.Sharpness && ((Mark.Sharpness) mark).edges() > most) {
        most = ((Mark.Sharpness) mark).edges();
        best = each.getKey();
      }
    }
    return Optional.ofNullable(best);
  }

  @Override
  public List<Mark> marks(List<Picture> pictures) throws AlbumException {
    List<Mark> marks = new ArrayList<>();
    for (Picture picture : pictures) {
      marks.add(mark(picture));
    }
    return marks;
  }

  private Mark mark(Picture picture) throws AlbumException {
    return picture.width() < LEAST || picture.height() < LEAST
        ? new Mark.TooSmall()
        : new Mark.Sharpness(edges(new Range(0, picture.height()), picture));
  }

  @Override
  public long edges(Range lines, Picture picture) throws AlbumException {
    byte[] grey = picture.grey();
    int width = picture.width();
    if (grey.length != (long) width * picture.height()) {
      throw new AlbumException("a picture has another number of pixels than it says");
    }
    long sum = 0;
    for (int y = (int) lines.from(); y < lines.to(); y++) {
      for (int x = 1; x < width; x++) {
        sum += Math.abs((grey[y * width + x] & 0xff) - (grey[y * width + x - 1] & 0xff));
      }
    }
    return sum;
  }
}
