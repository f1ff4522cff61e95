// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People sign in at the console with npm's oidc-provider, in a window of its own. */
@Tag("long")
final class SignInTest {
  private static final String SCRIPT =
      Home.PATH.resolve("conformance/identity/provider").toString();

  @TempDir private Path home;
  private Process provider;
  private Process backend;
  private Chromium browser;

  @AfterEach
  void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
    for (Process process : new Process[] {backend, provider}) {
      if (process != null) {
        process.destroy();
        process.waitFor();
      }
    }
  }

  private static BufferedReader lines(Process process) {
    return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  private String issuer() throws Exception {
    Path people = home.resolve("people");
    assumeTrue(Program.isHere("npm"), "npm's oidc-provider is not there");
    Program.Ended made = Program.run(List.of(SCRIPT, "make", people.toString()), Map.of());
    assumeTrue(made.status() == 0, "npm's oidc-provider is not there");
    int port = FreePort.next();
    provider =
        new ProcessBuilder(SCRIPT, "serve", people.toString(), Integer.toString(port))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertTrue(lines(provider).lines().anyMatch(line -> line.startsWith("provider at ")));
    return "http://127.0.0.1:" + port;
  }

  private String serve(String issuer) throws Exception {
    Path file =
        Files.writeString(
            home.resolve("identity.conf"),
            """
            [provider people]
            issuer = %s
            audience = outboard-broker
            console = outboard-console
            scope = openid gpu

            [rule GPU users]
            from = people
            claim.entitlements = urn:mace:egi.eu:group:{vo}:gpu:role=user#aai.example.org
            tenant = {vo}
            role = user
            """
                .formatted(issuer));
    Launcher outboard = new Launcher(home);
    backend =
        outboard.start(
            "serve", "--device=software", "--api=http://127.0.0.1:0", "--identity=" + file);
    return outboard.awaitLine(lines(backend), "api at ");
  }

  /** The code is good once, and the token is nowhere but in the page's memory. */
  @Test
  void somebodySignsInAtAProvider() throws Exception {
    browser = Chromium.start(1280, 800, ColorScheme.LIGHT);
    String api = serve(issuer());
    Page page = browser.page();
    page.navigate(api + "/console/");
    assertThat(button(page, "Sign in at people")).isVisible();
    browser.checkAccess("the sign-in at a provider");
    Page shown = page.waitForPopup(() -> button(page, "Sign in at people").click());
    shown.locator("input[name=login]").fill("alice");
    shown.locator("input[name=password]").fill("any");
    shown.locator("button[type=submit]").click();
    shown.getByText("Continue").click();
    assertThat(page.getByRole(AriaRole.NAVIGATION).first()).isVisible();
    assertThat(page.locator(".caller")).containsText("user of vo.example.org");
    assertEquals("0 0", page.evaluate("localStorage.length + ' ' + sessionStorage.length"));
    assertEquals(api + "/console/", page.url());
    browser.checkComplaints();
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }
}
