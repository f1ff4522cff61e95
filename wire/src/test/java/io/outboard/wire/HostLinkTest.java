// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HostLinkTest {
  private static final int TYPE = 8;
  private static final int SLOT = 12;

  private final HostLink link = new HostLink(3, Bytes.random(Message.IDENTITY));

  private byte[] with(int offset, int word) {
    byte[] message = link.encode();
    ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).putInt(offset, word);
    return message;
  }

  @Test
  void comesAsItWent() {
    assertEquals(link, HostLink.decode(link.encode()));
    assertEquals(link.reached(), HostLink.decode(with(SLOT, 0)));
  }

  @Test
  void whatIsNoneIsRefused() {
    byte[] shorter = Arrays.copyOf(with(4, 24), 24);
    for (byte[] wrong : new byte[][] {with(SLOT, 8), with(SLOT, -1), with(TYPE, 9), shorter}) {
      assertThrows(ProtocolException.class, () -> HostLink.decode(wrong));
    }
  }

  /** Both ends make the same key of it, and of another token another one. */
  @Test
  void itsKeyIsOfTheToken() {
    Token token = Token.random();
    assertEquals(link.key(token).digits(), link.reached().key(token).digits());
    assertNotEquals(link.key(token).digits(), link.key(Token.random()).digits());
  }
}
