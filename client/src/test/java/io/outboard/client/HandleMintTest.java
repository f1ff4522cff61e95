// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.wire.Bytes;
import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HandleMintTest {
  private final HandleMint mint = new HandleMint(Bytes.of(identity()));

  private static byte[] identity() {
    byte[] identity = new byte[16];
    identity[0] = (byte) 0xc1;
    return identity;
  }

  @Test
  void aHandleIsLaidOutAsDocumented() {
    assertEquals(1L << 41 | 5L << 34 | 1, mint.mint(5));
    assertEquals(1L << 41 | 5L << 34 | 2, mint.mint(5));
    assertEquals(1L << 41 | 63L << 34 | 1, mint.mint(63));
    assertEquals(63, Handles.kind(mint.mint(63)));
  }

  @Test
  void anIndexComesBackWithAnotherGeneration() {
    long first = mint.mint(1);
    long second = mint.mint(1);
    mint.retire(first);
    mint.retire(second);
    long third = mint.mint(1);
    assertEquals(Handles.index(first), Handles.index(third), "the one that is free for longest");
    assertNotEquals(first, third);
    mint.retire(first);
    assertEquals(
        Handles.index(second), Handles.index(mint.mint(1)), "a stale handle frees nothing");
    assertEquals(3, Handles.index(mint.mint(1)));
  }

  @Test
  void generationsComeAround() {
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1 << 14; i++) {
      long handle = mint.mint(2);
      assertEquals(i, handle >>> 20 & 0x3fff);
      assertEquals(1, Handles.index(handle));
      assertTrue(seen.add(handle));
      mint.retire(handle);
    }
    assertTrue(seen.contains(mint.mint(2)));
  }

  @Test
  void foreignHandlesAreLeftAlone() {
    long handle = mint.mint(1);
    for (long foreign : new long[] {0, 1, 2, -1, handle | 1L << 40, handle + 1, 1L << 46}) {
      mint.retire(foreign);
    }
    assertNotEquals(Handles.index(handle), Handles.index(mint.mint(1)));
  }

  @Test
  void liveHandlesAreAllDifferent() {
    Random random = new Random(8);
    List<Long> live = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      if (live.isEmpty() || random.nextInt(3) > 0) {
        live.add(mint.mint(1 + random.nextInt(3)));
      } else {
        Collections.swap(live, random.nextInt(live.size()), live.size() - 1);
        mint.retire(live.removeLast());
      }
    }
    assertEquals(live.size(), new HashSet<>(live).size());
  }

  @Test
  void thereIsALimit() {
    for (int i = 1; i < Limits.HANDLES; i++) {
      mint.mint(1);
    }
    assertThrows(IllegalStateException.class, () -> mint.mint(1));
    mint.mint(2);
  }
}
