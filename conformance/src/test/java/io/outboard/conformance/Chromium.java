// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import io.outboard.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Debian's Chromium, which no test downloads; skipped where it is not installed. */
final class Chromium implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/chromium");
  private static final List<String> RULES =
      List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice");

  private final Playwright playwright;
  private final Browser browser;
  private final BrowserContext context;
  private final Page page;
  private final List<String> complaints = new ArrayList<>();

  private Chromium(int width, int height, ColorScheme colours) {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(PROGRAM)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
    context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setIgnoreHTTPSErrors(true)
                .setColorScheme(colours)
                .setLocale("en-GB")
                .setViewportSize(width, height));
    context.setDefaultTimeout(Patience.milliseconds());
    page = context.newPage();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") && !message.text().startsWith("Failed to load")) {
            complaints.add(message.text());
          }
        });
  }

  /** Starts one with a window of so many pixels. */
  static Chromium start(int width, int height, ColorScheme colours) {
    assumeTrue(Files.isExecutable(PROGRAM), "Chromium is not installed");
    return new Chromium(width, height, colours);
  }

  Page page() {
    return page;
  }

  BrowserContext context() {
    return context;
  }

  /** Checks that everybody can use what is shown (WCAG 2.2, AA, as far as axe-core looks). */
  void checkAccess(String what) {
    List<String> found =
        new AxeBuilder(page)
            .withTags(RULES).analyze().getViolations().stream()
                .map(rule -> rule.getId() + ": " + rule.getNodes())
                .toList();
    assertEquals(List.of(), found, what);
  }

  /** Checks that scripts had no error, and that the policy of the page refused nothing. */
  void checkComplaints() {
    assertEquals(List.of(), complaints);
  }

  @Override
  public void close() {
    playwright.close();
  }
}
