// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.bench.gpu.run.Group;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FigureTest {
  @Test
  void theTableIsWhole() {
    List<Figure> all = Figure.all();
    assertEquals(25, all.size());
    assertEquals(25, all.stream().map(Figure::name).distinct().count());
    for (Figure figure : all) {
      assertEquals(Optional.empty(), figure.target("peer"));
      assertEquals(true, figure.target("shm").isPresent(), figure::name);
      assertEquals(true, figure.target("tcp").isPresent(), figure::name);
    }
  }

  @Test
  void aLine() {
    Figure figure = Figure.parse("micro\tlaunch\tlaunch, cost\tµs\t<=0.2\t-\t<=1.5x");
    assertEquals(Group.MICRO, figure.group());
    assertEquals("launch, cost", figure.label());
    assertEquals(Optional.of(Target.parse("<=0.2")), figure.target("shm"));
    assertEquals(Optional.empty(), figure.target("unix"));
    assertThrows(IllegalArgumentException.class, () -> Figure.parse("micro\tlaunch"));
  }
}
