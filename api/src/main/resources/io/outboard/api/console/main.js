// SPDX-License-Identifier: Apache-2.0
import { get, signIn } from "./server.js";
import { providers, signInAt } from "./sign-in.js";
import { Failure, h, render, useEffect, useRef, useState } from "./parts.js";
import { Audit, Gpus, Leases, Overview, Programs, Queue, Usage } from "./views.js";

const VIEWS = {
  overview: Overview,
  gpus: Gpus,
  leases: Leases,
  programs: Programs,
  queue: Queue,
  usage: Usage,
  audit: Audit,
};
const TITLES = {
  overview: "Overview",
  gpus: "GPUs",
  leases: "Leases",
  programs: "Programs",
  queue: "Queue",
  usage: "Usage",
  audit: "Audit",
};

function place() {
  const name = location.hash.slice(1);
  return name in VIEWS ? name : "overview";
}

function SignIn({ signedIn }) {
  const [secret, setSecret] = useState("");
  const [failure, setFailure] = useState(null);
  const [busy, setBusy] = useState(false);
  const [others, setOthers] = useState([]);
  useEffect(() => {
    const ended = new AbortController();
    providers(ended.signal).then(setOthers, () => {});
    return () => ended.abort();
  }, []);
  const enter = async (token) => {
    setBusy(true);
    setFailure(null);
    try {
      signIn(await token());
      signedIn(await get("/v1/identity"));
    } catch (refused) {
      signIn("");
      setFailure(refused);
      setBusy(false);
    }
  };
  const submit = (event) => {
    event.preventDefault();
    enter(() => secret.trim());
  };
  return h(
    "main",
    { class: "sign-in" },
    h("h1", null, "Outboard"),
    h(
      "form",
      { onSubmit: submit },
      h(
        "label",
        null,
        h("span", null, "Token"),
        h("input", {
          type: "password",
          name: "token",
          required: true,
          autocomplete: "current-password",
          value: secret,
          onInput: (event) => setSecret(event.target.value),
        }),
      ),
      h(Failure, { failure }),
      h("button", { type: "submit", class: "primary", disabled: busy }, "Sign in"),
    ),
    others.map((name) =>
      h(
        "button",
        { key: name, type: "button", onClick: () => enter(() => signInAt(name)) },
        `Sign in at ${name}`,
      ),
    ),
    h(
      "p",
      null,
      "A token is made with ",
      h("code", null, "outboard token create"),
      ". It stays in this page, and is asked for again once the page is loaded anew.",
    ),
  );
}

function Console() {
  const [caller, setCaller] = useState(null);
  const [view, setView] = useState(place());
  const [told, setTold] = useState("");
  const main = useRef(null);
  useEffect(() => {
    const follow = () => {
      setView(place());
      setTold("");
      if (main.current) {
        main.current.focus();
      }
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    document.title = caller ? `${TITLES[view]} – Outboard` : "Outboard";
  }, [view, caller]);
  if (!caller) {
    return h(SignIn, { signedIn: setCaller });
  }
  const leave = () => {
    signIn("");
    setCaller(null);
  };
  return h(
    "div",
    { class: "console" },
    h(
      "header",
      null,
      h("span", { class: "brand" }, "Outboard"),
      h(
        "nav",
        { "aria-label": "Views" },
        Object.entries(TITLES).map(([name, title]) =>
          h(
            "a",
            { key: name, href: "#" + name, "aria-current": name === view ? "page" : undefined },
            title,
          ),
        ),
      ),
      h(
        "span",
        { class: "caller" },
        h("span", null, `${caller.role}${caller.tenant ? " of " + caller.tenant : ""}`),
        h("button", { type: "button", onClick: leave }, "Sign out"),
      ),
    ),
    h(
      "main",
      { ref: main, tabindex: "-1" },
      h("p", { class: "told", role: "status" }, told),
      h(VIEWS[view], { key: view, caller, tell: setTold }),
    ),
  );
}

render(h(Console), document.getElementById("console"));
