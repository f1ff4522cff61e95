// SPDX-License-Identifier: Apache-2.0
// Signs somebody in at a provider, in a window of its own: by a code (RFC 6749, 4.1), for which
// only this page has the verifier (RFC 7636). Nothing of it is kept.
import { get, post, Refused } from "./server.js";

const BACK = location.origin + "/console/signed-in.html";
const WINDOW = "popup,width=520,height=720";

function encoded(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function random() {
  return encoded(crypto.getRandomValues(new Uint8Array(32)));
}

/** The names of those at which one can. */
export async function providers(signal) {
  return (await get("/v1/sign-in", signal)).providers;
}

/** Asks somebody to sign in; returns the token. */
export async function signInAt(provider) {
  const path = "/v1/sign-in/" + encodeURIComponent(provider);
  // At once: a browser opens no window that nobody has clicked for.
  const shown = open("", "outboard-sign-in", WINDOW);
  if (!shown) {
    throw new Refused(0, "The browser opens no window.");
  }
  try {
    const { page, client, scope } = await get(path);
    const verifier = random();
    const state = random();
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const asked = new URL(page);
    Object.entries({
      response_type: "code",
      client_id: client,
      redirect_uri: BACK,
      scope,
      state,
      code_challenge: encoded(new Uint8Array(digest)),
      code_challenge_method: "S256",
    }).forEach(([name, value]) => asked.searchParams.set(name, value));
    const coming = answer(state);
    shown.location = asked.href;
    const told = await coming;
    return (await post(path, { code: told.code, verifier, back: BACK })).token;
  } finally {
    shown.close();
  }
}

/** The words of the provider about the one who asked with this state. */
function answer(state) {
  return new Promise((done, failed) => {
    const channel = new BroadcastChannel("outboard sign-in");
    channel.onmessage = (event) => {
      if (event.data.state !== state) {
        return;
      }
      channel.close();
      if (event.data.code) {
        done(event.data);
      } else {
        failed(new Refused(0, event.data.error_description || "The provider refuses."));
      }
    };
  });
}
