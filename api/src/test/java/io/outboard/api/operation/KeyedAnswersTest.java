// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.http.Origin;
import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Answers are kept for a time, and so many of them. */
final class KeyedAnswersTest {
  private long now;
  private final KeyedAnswers answers = new KeyedAnswers(() -> now);
  private int done;

  private static Request request(String body) {
    return new Request(
        Origin.clear(InetAddress.getLoopbackAddress()),
        "POST",
        "/v1/leases",
        "",
        Map.of(),
        body.getBytes(UTF_8),
        Request.MOST_BYTES,
        false);
  }

  private boolean repeats(String caller, String key) throws Problem {
    return answers
        .of(
            caller,
            key,
            request("{}"),
            () -> {
              done++;
              return Reply.of(Map.of());
            })
        .repeated();
  }

  @Test
  void aCallerHasABoundOfItsOwn() throws Problem {
    assertFalse(repeats("other", "key"));
    for (int number = 0; number < KeyedAnswers.MOST_OF_CALLER + 1; number++) {
      assertFalse(repeats("one", "key" + number));
    }
    assertTrue(repeats("one", "key1"));
    assertTrue(repeats("other", "key"));
    assertFalse(repeats("one", "key0"), "the oldest is forgotten");
  }

  @Test
  void allHaveABoundToo() throws Problem {
    for (int caller = 0; caller < KeyedAnswers.MOST + 1; caller++) {
      assertFalse(repeats("caller" + caller, "key"));
    }
    assertTrue(repeats("caller1", "key"));
    assertFalse(repeats("caller0", "key"));
  }

  @Test
  void anAnswerIsKeptForADay() throws Problem {
    assertFalse(repeats("one", "key"));
    now += KeyedAnswers.KEPT.toNanos() - 1;
    assertTrue(repeats("one", "key"));
    now += 1;
    assertFalse(repeats("one", "key"));
    assertEquals(2, done);
  }

  @Test
  void whatCouldNotBeDoneForNowIsDoneLater() throws Problem {
    Reply away = Reply.of(Problem.UNAVAILABLE, Map.of());
    assertFalse(answers.of("one", "key", request("{}"), () -> away).repeated());
    assertFalse(repeats("one", "key"));
    assertEquals(1, done);
  }

  @Test
  void oneThatIsUnderWayIsNotDoneBesideItself() throws Problem {
    KeyedAnswers.Answer first =
        answers.of(
            "one",
            "key",
            request("{}"),
            () -> {
              assertThrows(Problem.class, () -> repeats("one", "key"));
              return Reply.of(Map.of());
            });
    assertFalse(first.repeated());
    assertEquals(0, done);
  }
}
