# SPDX-License-Identifier: Apache-2.0
"""usage: sign-in.py NAME URL

What somebody does in a browser who signs in: opens the page and sends its form, and those of the
pages that follow, with the name and any password, until a page has none.
"""

import html.parser
import http.cookiejar
import sys
import urllib.parse
import urllib.request

MOST_PAGES = 10
REFUSALS = ("cancel", "abort")


class Form(html.parser.HTMLParser):
    """The first form of a page."""

    def __init__(self):
        super().__init__()
        self.action = None
        self.fields = {}

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = has.get("action") or ""
        elif tag in ("input", "button") and has.get("name") and has["name"] not in REFUSALS:
            self.fields[has["name"]] = has.get("value") or ""


class Cookies(http.cookiejar.DefaultCookiePolicy):
    """A browser sends secure cookies to a server of its own machine also without TLS."""

    def return_ok_secure(self, cookie, request):
        return True


def main(name, url):
    jar = http.cookiejar.CookieJar(Cookies())
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = browser.open(url, timeout=60)
    for _ in range(MOST_PAGES):
        form = Form()
        form.feed(page.read().decode())
        if form.action is None:
            return
        for field in ("login", "username"):
            if field in form.fields:
                form.fields[field] = name
        if "password" in form.fields:
            form.fields["password"] = "pw"
        target = urllib.parse.urljoin(page.geturl(), form.action)
        page = browser.open(target, urllib.parse.urlencode(form.fields).encode(), timeout=60)
    sys.exit("there is no end of forms at %s" % page.geturl())


if __name__ == "__main__":
    main(*sys.argv[1:])
