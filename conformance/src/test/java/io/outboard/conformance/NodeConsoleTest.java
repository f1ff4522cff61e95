// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of a node alone, which knows its programs, in a real browser. */
@Lengthy
final class NodeConsoleTest {
  @TempDir private Path home;
  private Launcher outboard;
  private Process backend;
  private String api;
  private Chromium browser;
  private Page page;
  private ConsolePage console;

  @BeforeEach
  void serve() throws Exception {
    browser = Chromium.start(1280, 800, ColorScheme.DARK);
    page = browser.page();
    console = new ConsolePage(browser);
    outboard = new Launcher(home);
    backend = outboard.start("serve", "--device=software", "--api=http://127.0.0.1:0");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(backend.getInputStream(), UTF_8));
    api = outboard.awaitLine(lines, "api at ");
  }

  @AfterEach
  void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (backend != null) {
      backend.destroy();
      backend.waitFor();
    }
  }

  private String typed(String... arguments) throws Exception {
    Program.Ended ended = outboard.run(arguments);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  @Test
  void theShareOfALeaseIsChangedWhileItsProgramRunsAndItsUseIsDrawn() throws Exception {
    String lease = typed("lease", "--for=10m", "--detach", "--share=0.5", "--tenant=ada");
    String program = Home.PROGRAMS.resolve("steady").toString();
    List<String> words =
        List.of(home.resolve("outboard").toString(), "run", "--lease", lease, program);
    console.signIn(api, typed("token", "create", "--role=operator", "--for=1d"));
    try (Steady steady =
        Steady.start(words, Map.of("XDG_RUNTIME_DIR", outboard.runtime().toString()))) {
      steady.awaitProgress();
      console.look("Leases");
      assertThat(console.row(lease)).containsText("active");
      console.button("Manage lease " + lease).click();
      assertThat(page.locator(".programs")).containsText("steady");
      browser.checkAccess("a lease");
      console.picture("lease");
      console.dialogButton("Change share").click();
      page.getByLabel("Share of each GPU, from 0.01 to 1").fill("0.25");
      console.picture("share");
      console.dialogButton("Cancel").click();
      console.dialogButton("Change share").click();
      page.getByLabel("Share of each GPU, from 0.01 to 1").fill("0.25");
      console.dialogButton("Change share").click();
      assertThat(page.locator("dialog .result"))
          .hasText("Lease " + lease + " is active, share 0.25.");
      page.keyboard().press("Escape");
      assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
      steady.finishAfterAll();
    }
    console.act(lease, "Release", "done", "Lease " + lease + " is released.");
    console.look("Usage");
    assertThat(console.row("ada")).isVisible();
    assertThat(page.locator("figure.chart canvas")).isVisible();
    page.getByLabel("Of the last").selectOption("1");
    assertThat(page.getByText("each hour")).isVisible();
    browser.checkAccess("usage");
    console.picture("usage");
    browser.checkComplaints();
  }
}
