// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.discover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.lease.Form;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of strangers about themselves on the network. */
final class AnnouncementTest {
  private static final String GOOD = "role=backend&scheme=tls&gpus=2&model=A100";

  private static Announcement of(String form) {
    return Announcement.of(Form.parse(form), 14901);
  }

  @Test
  void whatIsWrittenIsRead() {
    Announcement one = new Announcement("broker", "tls", "b.example", 1, 0, "", "https://b:2");
    Form form = one.form();
    assertEquals(one, Announcement.of(Form.parse(form.toString()), 1));
    assertEquals(Announcement.names(), one.attributes().keySet());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "role=master",
        "scheme=ssh",
        "scheme=unix",
        "host=a%0Ab",
        "host=$(reboot)",
        "host=-x",
        "gpus=-1",
        "gpus=99999999999999999999",
        "gpus=many",
        "api=file:///etc/passwd",
        "api=https://a/%1b",
      })
  void nonsenseIsNone(String wrong) {
    String form = wrong.isEmpty() ? "" : GOOD + "&" + wrong;
    assertThrows(IllegalArgumentException.class, () -> Announcement.of(replaced(form), 14901));
  }

  @Test
  void nobodyHasMoreGpusThanAre() {
    assertEquals(1_000_000, Announcement.of(replaced(GOOD + "&gpus=99999999999999"), 1).gpus());
  }

  /** A form in which the last one of a name counts. */
  private static Form replaced(String text) {
    Form form = new Form();
    for (String field : text.split("&", -1)) {
      Form.parse(field).values().forEach(form::with);
    }
    return form;
  }

  @Test
  void aTextIsShortAndSteersNoTerminal() {
    String model = of(GOOD + "%1B[2J" + "x".repeat(500)).model();
    assertEquals("A100?[2J" + "x".repeat(56), model);
  }

  @ParameterizedTest
  @CsvSource({
    "gpu.example, 10.0.0.1, tls://gpu.example:14901",
    "0.0.0.0, 10.0.0.1, tls://10.0.0.1:14901",
    "::, 10.0.0.1, tls://10.0.0.1:14901",
    "10.0.0.9, 10.0.0.1, tls://10.0.0.1:14901",
    "'', fd00::1, 'tls://[fd00:0:0:0:0:0:0:1]:14901'",
  })
  void oneIsReachedByItsNameOrWhereItIs(String host, String address, String uri) throws Exception {
    Announcement said = of(GOOD + "&host=" + host);
    assertEquals(uri, new Discovered(said, InetAddress.getByName(address)).uri());
  }
}
