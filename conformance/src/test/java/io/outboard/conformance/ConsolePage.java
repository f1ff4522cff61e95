// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.outboard.patience.Patience;
import java.nio.file.Path;

/** The console in a browser, as somebody uses it who sees names and roles alone. */
final class ConsolePage {
  /** Where pictures for the documents are written, if they are. */
  private static final String PICTURES = System.getProperty("outboard.console.pictures", "");

  private final Chromium browser;
  private final Page page;

  ConsolePage(Chromium browser) {
    this.browser = browser;
    this.page = browser.page();
    PlaywrightAssertions.setDefaultAssertionTimeout(Patience.milliseconds());
  }

  /** The token is kept nowhere that outlives the page, and is in no address. */
  void signIn(String api, String token) {
    page.navigate(api + "/console/");
    page.getByLabel("Token").fill(token);
    button("Sign in").click();
    assertThat(page.getByRole(AriaRole.NAVIGATION).first()).isVisible();
    assertEquals("0 0", page.evaluate("localStorage.length + ' ' + sessionStorage.length"));
    assertEquals("", page.evaluate("document.cookie"));
    assertFalse(page.url().contains(token), page.url());
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator dialogButton(String name) {
    return page.getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  /** Goes to a view. */
  void look(String view) {
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(view).setExact(true)).click();
    assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
        .hasText(view);
  }

  Locator row(String text) {
    return page.getByRole(AriaRole.ROW, new Page.GetByRoleOptions().setName(text));
  }

  /** Chooses what is to be done to a lease, confirms it, and waits for what it says. */
  void act(String lease, String action, String reason, String result) {
    button("Manage lease " + lease).click();
    dialogButton(action).click();
    if (!reason.isEmpty()) {
      page.getByLabel("Reason, which is written down").fill(reason);
    }
    dialogButton(action).click();
    assertThat(page.locator("dialog .result")).hasText(result);
    browser.checkAccess("the result of " + action);
    dialogButton("Close").click();
  }

  /** Of what is there, without the empty rest of the window. */
  void picture(String name) {
    if (!PICTURES.isEmpty()) {
      Object bottom =
          page.evaluate(
              "document.querySelector('dialog') ? innerHeight : Math.min(innerHeight,"
                  + " Math.ceil(document.querySelector('main').getBoundingClientRect().bottom))");
      page.screenshot(
          new Page.ScreenshotOptions()
              .setClip(0, 0, page.viewportSize().width, ((Number) bottom).doubleValue())
              .setPath(Path.of(PICTURES, "console-" + name + ".png")));
    }
  }
}
