// SPDX-License-Identifier: Apache-2.0
// Asks the server. The token is in this module's memory and nowhere else: a page that is loaded
// anew asks for it again.
let token = "";

export function signIn(secret) {
  token = secret;
}

/** An answer that is a problem, or none at all (status 0). */
export class Refused extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

async function send(method, path, body, signal) {
  const headers = { Authorization: "Bearer " + token };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
    });
  } catch (failure) {
    throw failure.name === "AbortError" ? failure : new Refused(0, "The server does not answer.");
  }
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, problem.detail || "The server answers " + answer.status + ".");
  }
  return answer;
}

export async function get(path, signal) {
  return (await send("GET", path, undefined, signal)).json();
}

export async function post(path, body) {
  return (await send("POST", path, body)).json();
}

export function query(values) {
  const parts = Object.entries(values).filter(([, value]) => value !== "" && value !== undefined);
  return parts.length ? "?" + new URLSearchParams(parts).toString() : "";
}

const AGAIN_MS = 1000;
const LATER_MS = 5000;

/**
 * Follows a view: `told` gets each state of it, `failed` what is wrong, or null once all is well.
 * Returns what ends it.
 */
export function watch(view, values, told, failed) {
  const ended = new AbortController();
  const path = "/v1/views/" + view + "/live" + query(values);
  (async () => {
    while (!ended.signal.aborted) {
      let pause = AGAIN_MS;
      try {
        const answer = await send("GET", path, undefined, ended.signal);
        await events(answer, (kind, data) => {
          if (kind === "") {
            failed(null);
            told(data);
          } else {
            pause = LATER_MS;
            failed(new Refused(503, kind === "full" ? "Too many consoles are open." : data.detail));
          }
        });
      } catch (failure) {
        if (ended.signal.aborted) {
          return;
        }
        pause = LATER_MS;
        failed(failure instanceof Refused ? failure : new Refused(0, "The connection was lost."));
      }
      await new Promise((done) => setTimeout(done, pause));
    }
  })();
  return () => ended.abort();
}

/** Reads server-sent events; a line of a comment says no more than that the server is there. */
async function events(answer, each) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block
          .split("\n")
          .map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]),
      );
      if ("data" in fields) {
        each(fields.event || "", JSON.parse(fields.data));
      }
    }
  }
}
