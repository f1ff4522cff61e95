// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The greeting's words about tokens, and the messages of control connections. */
final class ControlTest {
  @ParameterizedTest
  @EnumSource
  void whatIsWrittenIsRead(Control.Kind kind) {
    Control said = new Control(kind, "verb?name=value");
    assertEquals(said, Control.decode(said.encode()));
    assertEquals(kind != Control.Kind.REQUEST && kind != Control.Kind.ROW, said.ends());
  }

  @Test
  void whatIsNoneIsRefused() {
    byte[] message = new Control(Control.Kind.DONE, "").encode();
    message[12] = 99;
    assertThrows(ProtocolException.class, () -> Control.decode(message));
    byte[] other = new Refusal(Refusal.LEASE, "why").encode();
    assertThrows(ProtocolException.class, () -> Control.decode(other));
  }

  @Test
  void aTokenIsToldByItsName() {
    Token token = Token.random();
    assertEquals(token.name(), Token.parse(token.digits()).name());
    assertNotEquals(token.name(), Token.random().name());
    assertEquals(Message.IDENTITY, token.name().length());
  }

  @Test
  void oneIsMadeFromAnotherForAPurpose() {
    Token token = Token.random();
    Token made = token.derived("one");
    assertEquals(made.digits(), Token.parse(token.digits()).derived("one").digits());
    assertNotEquals(made.digits(), token.derived("two").digits());
    assertNotEquals(made.digits(), Token.random().derived("one").digits());
  }

  @Test
  void aHelloNamesItsToken() {
    Hello plain =
        new Hello(
            1, 1, 7, Bytes.zero(16), Bytes.random(32), 0, List.of(), new TreeMap<>(), "program");
    Token token = Token.random();
    Hello named = Hello.decode(plain.withKey(token).encode());
    assertTrue(named.namesKey() && !plain.namesKey());
    assertEquals(token.name(), named.session());
    assertTrue(Hello.decode(plain.toControl().encode()).controls() && !named.controls());
  }
}
