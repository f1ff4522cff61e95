// SPDX-License-Identifier: Apache-2.0
package faces;

import io.outboard.offload.Offload;
import io.outboard.offload.Repeatable;
import java.util.List;

/** Finds faces that look at the camera. */
@Offload("faces")
public interface Faces {
  /**
   * Finds them, the surest first.
   *
   * @param grey a byte for each pixel, row after row
   * @throws NoPictureException if these are not so many pixels
   */
  @Repeatable
  List<Box> find(int width, int height, byte[] grey) throws NoPictureException;
}
