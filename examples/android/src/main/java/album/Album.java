// SPDX-License-Identifier: Apache-2.0
package album;

import io.outboard.offload.Most;
import io.outboard.offload.Offload;
import io.outboard.offload.Range;
import io.outboard.offload.Repeatable;
import io.outboard.offload.Split;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Judges pictures. */
@Offload("album")
public interface Album {
  /** The name of the sharpest of some pictures; none where none can be judged. */
  @Repeatable
  Optional<String> sharpest(@Most(1_000) Map<String, Picture> pictures) throws AlbumException;

  /** Says of each picture how sharp it is. */
  @Repeatable
  List<Mark> marks(@Most(1_000) List<Picture> pictures) throws AlbumException;

  /** The sum of the differences of neighbours in some lines. */
  @Split(over = "lines", join = Split.Join.SUM)
  long edges(Range lines, Picture picture) throws AlbumException;
}
