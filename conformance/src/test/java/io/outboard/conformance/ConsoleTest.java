// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of a broker in a real browser, over two nodes of one GPU each. */
final class ConsoleTest {
  private static final String STEADY = Home.PROGRAMS.resolve("steady").toString();

  @TempDir private Path home;
  private NodePool pool;
  private Chromium browser;
  private Page page;
  private ConsolePage console;

  @BeforeEach
  void startPool() throws Exception {
    browser = Chromium.start(1280, 800, ColorScheme.LIGHT);
    page = browser.page();
    console = new ConsolePage(browser);
    pool = new NodePool(home);
    pool.startBrokers(1);
  }

  @AfterEach
  void endPool() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (pool != null) {
      pool.end();
    }
  }

  private void signIn(String role, String... more) throws Exception {
    Stream<String> words = Stream.of("token", "create", "--for=1d", "--role=" + role);
    String[] all = Stream.concat(words, Stream.of(more)).toArray(String[]::new);
    console.signIn(pool.broker(0).api(), pool.typed(all).strip());
  }

  /** The way of a new operator, with the console alone. */
  @Test
  void aLeaseThatWastesAGpuIsFoundAndSuspendedAndTheNextOneHasIt() throws Exception {
    pool.join("n1", "software");
    pool.join("n2", "software");
    String wasting = pool.lease("--tenant=ada", "--consumer=job:41");
    String busy = pool.lease("--tenant=bob", "--consumer=job:42");
    try (Steady program = Steady.start(pool.running(busy, STEADY), pool.variables())) {
      program.awaitProgress();
      String next = pool.lease("--tenant=eve");
      signIn("operator");
      assertThat(console.row("n1")).containsText("present");
      assertThat(console.row("n2")).containsText("present");
      assertThat(page.locator("figure.chart canvas")).isVisible();
      browser.checkAccess("the overview");
      console.picture("overview");

      console.look("Queue");
      assertThat(console.row(next)).containsText("eve");
      assertThat(console.row(next)).containsText("GPUs");
      browser.checkAccess("the queue");
      console.picture("queue");

      // A broker knows the programs of its nodes: whose they are, and what they do.
      console.look("Programs");
      Locator steady = console.row("steady");
      assertThat(steady).containsText("bob");
      assertThat(steady).containsText("shared");
      assertThat(steady).containsText(Pattern.compile("n[12]"));
      assertThat(steady).containsText(Pattern.compile("cu[A-Z]\\w+ \\d+"));
      browser.checkAccess("the programs");
      console.picture("programs");

      // The one that has done nothing for longest is the first.
      console.look("Leases");
      assertThat(console.row(busy)).containsText("active");
      Locator first = page.locator("tbody tr").first();
      assertThat(first).containsText(wasting);
      assertThat(first).containsText("granted");
      assertThat(console.row(busy)).containsText("%");
      browser.checkAccess("the leases");
      console.picture("leases");
      console.act(wasting, "Suspend", "nothing is done with it", "Lease " + wasting + " is held.");
      assertThat(console.row(wasting)).containsText("held");
      assertThat(console.row(next)).containsText("granted");
      assertTrue(pool.isIn("held", wasting));
      assertTrue(pool.isIn("granted", next));
      console.look("Queue");
      assertThat(page.locator(".empty")).hasText("No lease waits.");

      console.look("GPUs");
      assertThat(page.locator("tbody tr")).hasCount(2);
      assertThat(console.row("n1/0")).containsText("works");
      browser.checkAccess("the GPUs");
      console.picture("gpus");
      console.look("Leases");
      console.act(next, "Release", "", "Lease " + next + " is released.");
      console.act(wasting, "Resume", "", "Lease " + wasting + " is idle.");
      program.finishAfterAll();
    }
    console.look("Audit");
    assertThat(console.row("suspendLease").first()).containsText("200");
    browser.checkAccess("the audit log");
    console.picture("audit");
    browser.checkComplaints();
  }

  /** Each of the other actions, with what is refused; by the keyboard alone where that is said. */
  @Test
  @Tag("long")
  void eachActionIsConfirmedAndItsResultIsSaid() throws Exception {
    pool.join("n1", "software");
    String lease = pool.lease("--share=0.5", "--tenant=ada");
    signIn("operator");
    console.look("Leases");
    // Nobody has ended it yet, but the server is asked: what it refuses is told where it was asked.
    String other = pool.lease("--share=0.25", "--tenant=ada");
    console.button("Manage lease " + other).click();
    String released = pool.typed("release", other);
    assertTrue(released.contains(other), released);
    console.dialogButton("Drain").click();
    console.dialogButton("Drain").click();
    assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
    browser.checkAccess("a refusal");
    console.dialogButton("Cancel").click();
    console.dialogButton("Close").click();

    // Its node gives it another share.
    console.button("Manage lease " + lease).click();
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("No program uses it.");
    console.dialogButton("Change share").click();
    page.getByLabel("Share of each GPU, from 0.01 to 1").fill("0.25");
    console.dialogButton("Change share").click();
    assertThat(page.locator("dialog .result"))
        .hasText("Lease " + lease + " is granted, share 0.25.");
    console.dialogButton("Close").click();
    assertThat(console.row(lease)).containsText("0.25");

    // The keyboard alone.
    console.button("Manage lease " + lease).focus();
    page.keyboard().press("Enter");
    console.dialogButton("Drain").focus();
    page.keyboard().press("Enter");
    console.dialogButton("Drain").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog .result")).hasText(Pattern.compile("is (draining|released)"));
    page.keyboard().press("Escape");

    String revoked = pool.lease("--share=0.25", "--tenant=bob");
    console.act(revoked, "Revoke", "not wanted", "Lease " + revoked + " is revoked.");
    assertThat(console.row(revoked)).hasCount(0);

    console.look("GPUs");
    console.button("Manage GPU n1/0").click();
    console.dialogButton("Take out").click();
    page.getByLabel("Reason, which is written down").fill("a new fan");
    console.dialogButton("Take out").click();
    assertThat(page.locator("dialog .result")).hasText("Take out: GPU n1/0 is done.");
    console.dialogButton("Bring back").click();
    console.dialogButton("Bring back").click();
    assertThat(page.locator("dialog .result")).hasText("Bring back: GPU n1/0 is done.");
    page.keyboard().press("Escape");
    assertThat(console.row("n1/0")).containsText("works");
    browser.checkComplaints();
  }

  /** Nothing to show, nobody to ask, nothing that one may do. */
  @Test
  @Tag("long")
  void emptinessAndFailureAreSaid() throws Exception {
    page.navigate(pool.broker(0).api() + "/console/");
    browser.checkAccess("the sign-in");
    page.getByLabel("Token").fill("outboard_wrong");
    console.button("Sign in").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("unknown");
    browser.checkAccess("a wrong token");
    signIn("reader", "--tenant=ada");
    assertThat(page.locator(".empty").last()).containsText("No node has joined yet");
    browser.checkAccess("an empty pool");
    for (Map.Entry<String, String> empty :
        Map.of(
                "GPUs",
                "There is no GPU.",
                "Leases",
                "No lease has a GPU.",
                "Programs",
                "No program uses a GPU.",
                "Queue",
                "No lease waits.",
                "Usage",
                "The ledger has nothing of that time.",
                "Audit",
                "The audit log is for operators.")
            .entrySet()) {
      console.look(empty.getKey());
      assertThat(page.locator(".empty")).hasText(empty.getValue());
      browser.checkAccess(empty.getKey() + ", empty");
    }
    pool.join("n1", "software");
    String lease = pool.lease("--tenant=ada");
    console.look("Leases");
    page.getByLabel("Search").fill("nobody");
    assertThat(page.locator(".empty")).hasText("Nothing has that in its name.");
    page.getByLabel("Search").fill("ada");
    console.button("Manage lease " + lease).click();
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("A reader's token changes nothing.");
    page.keyboard().press("Escape");

    // On a phone, in the dark.
    page.setViewportSize(390, 844);
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    assertThat(console.row(lease)).isVisible();
    assertEquals(true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
    browser.checkAccess("a phone in the dark");
    console.picture("phone");
    page.setViewportSize(1280, 800);
    browser.checkAccess("the dark");

    browser.context().setOffline(true);
    console.look("Queue");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("The server does not answer.");
    browser.context().setOffline(false);
    assertThat(page.locator(".empty")).hasText("No lease waits.");
    assertThat(page.getByRole(AriaRole.ALERT)).hasCount(0);
    console.button("Sign out").click();
    assertThat(page.getByLabel("Token")).isVisible();
    browser.checkComplaints();
  }
}
