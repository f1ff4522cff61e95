// SPDX-License-Identifier: Apache-2.0
// The views.
import { get, query, watch } from "./server.js";
import { GpuDialog, gpuName, LeaseDialog } from "./actions.js";
import { Chart } from "./charts.js";
import { LiveTable } from "./table.js";
import {
  Badge,
  Bar,
  bytes,
  Choice,
  degrees,
  duration,
  Failure,
  Fragment,
  functionWords,
  h,
  moment,
  number,
  UNKNOWN,
  useEffect,
  useState,
  watts,
} from "./parts.js";

function Tile({ title, value, more }) {
  return h(
    "div",
    { class: "tile" },
    h("dt", null, title),
    h("dd", null, value, more && h("small", null, more)),
  );
}

export function Overview() {
  const [now, setNow] = useState(null);
  const [failure, setFailure] = useState(null);
  useEffect(() => watch("overview", {}, setNow, setFailure), []);
  return h(
    Fragment,
    null,
    h("h1", null, "Overview"),
    h(Failure, { failure }),
    !now && !failure && h("p", { role: "status" }, "Loading…"),
    now && h(Totals, { now }),
    h(LiveTable, {
      title: "Nodes",
      view: "nodes",
      first: "name",
      rowKey: (row) => row.node,
      empty: "No node has joined yet: outboard node invite NAME.",
      columns: [
        { title: "Node", sort: "name", cell: (row) => row.node || "this one" },
        { title: "State", cell: (row) => h(Badge, { state: row.joined ? row.state : "removed" }) },
        { title: "GPUs", sort: "gpus", kind: "figure", cell: (row) => number(row.gpus) },
        { title: "Models", cell: (row) => row.models || UNKNOWN },
        { title: "Leased", sort: "leased", kind: "figure", cell: (row) => number(row.leased) },
        { title: "Load", sort: "load", cell: (row) => h(Bar, { percent: row.load }) },
        { title: "Power", kind: "figure", cell: (row) => watts(row.power) },
        { title: "Failed", kind: "figure", cell: (row) => number(row.failed) },
        { title: "Out", kind: "figure", cell: (row) => number(row.cordoned) },
      ],
    }),
  );
}

function Totals({ now }) {
  const [moments, leased, busy, waiting] = now.history;
  const used = now.granted + now.active + now.idle + now.draining;
  return h(
    Fragment,
    null,
    h(
      "dl",
      { class: "tiles" },
      h(Tile, { title: "GPUs", value: number(now.gpus), more: `on ${number(now.nodes)} nodes` }),
      h(Tile, { title: "Leased", value: number(now.leased), more: "whole GPUs" }),
      h(Tile, { title: "Load", value: now.load === null ? UNKNOWN : now.load + " %" }),
      h(Tile, { title: "Power", value: watts(now.power) }),
      h(Tile, {
        title: "Leases",
        value: number(used),
        more: `${number(now.idle)} idle, ${number(now.suspended + now.held)} suspended`,
      }),
      h(Tile, { title: "Waiting", value: number(now.requested) }),
      h(Tile, {
        title: "Failed",
        value: number(now.failed),
        more: `${number(now.cordoned)} out for maintenance`,
      }),
    ),
    moments.length > 1
      ? h(Chart, {
          label: "The last ten minutes: GPUs leased, GPUs busy and leases waiting",
          moments,
          lines: [
            { name: "GPUs leased", values: leased, words: `GPUs leased: ${number(leased.at(-1))}` },
            { name: "GPUs busy", values: busy, words: `GPUs busy: ${number(busy.at(-1))}` },
            {
              name: "leases waiting",
              values: waiting,
              words: `leases waiting: ${number(waiting.at(-1))}`,
            },
          ],
        })
      : h("p", { class: "empty" }, "A chart comes with the second look, in some seconds."),
  );
}

export function Gpus({ caller, tell }) {
  const [open, setOpen] = useState(null);
  return h(
    Fragment,
    null,
    h("h1", null, "GPUs"),
    h(LiveTable, {
      title: "GPUs of the pool",
      view: "gpus",
      first: "name",
      rowKey: (row) => row.node + "/" + row.uuid,
      empty: "There is no GPU.",
      columns: [
        { title: "GPU", sort: "name", cell: (row) => gpuName(row) },
        { title: "Model", cell: (row) => row.model },
        { title: "Load", sort: "load", cell: (row) => h(Bar, { percent: row.load }) },
        {
          title: "Memory",
          sort: "memoryUsed",
          cell: (row) =>
            h(Bar, {
              percent:
                row.memoryUsed === null ? null : (100 * row.memoryUsed) / Math.max(1, row.memory),
              words: `${bytes(row.memoryUsed)} of ${bytes(row.memory)}`,
            }),
        },
        {
          title: "Temperature",
          sort: "temperature",
          kind: "figure",
          cell: (row) => degrees(row.temperature),
        },
        { title: "Power", sort: "power", kind: "figure", cell: (row) => watts(row.power) },
        { title: "Given away", sort: "share", kind: "figure", cell: (row) => number(row.share) },
        { title: "Leases", sort: "leases", kind: "figure", cell: (row) => number(row.leases) },
        {
          title: "State",
          cell: (row) =>
            h(Badge, { state: row.failed ? "failed" : row.cordoned ? "out" : "works" }),
        },
        {
          title: "Manage",
          cell: (row) =>
            h(
              "button",
              {
                type: "button",
                "aria-label": `Manage GPU ${gpuName(row)}`,
                onClick: () => setOpen(row),
              },
              "Manage",
            ),
        },
      ],
    }),
    open && h(GpuDialog, { gpu: open, caller, tell, close: () => setOpen(null) }),
  );
}

const STATES = {
  "": "any",
  granted: "granted",
  active: "active",
  idle: "idle",
  suspended: "suspended",
  held: "held",
  draining: "draining",
};

/** So long that somebody may ask why. */
const LONG_IDLE_SECONDS = 300;

function manage(lease, open) {
  return h(
    "button",
    { type: "button", "aria-label": `Manage lease ${lease.id}`, onClick: () => open(lease) },
    "Manage",
  );
}

export function Leases({ caller, tell }) {
  const [state, setState] = useState("");
  const [open, setOpen] = useState(null);
  return h(
    Fragment,
    null,
    h("h1", null, "Leases"),
    h(LiveTable, {
      title: "Leases with GPUs",
      view: "leases",
      first: "idle",
      firstDescending: true,
      rowKey: (row) => row.id,
      filters: { state },
      tools: h(Choice, { label: "State", value: state, choices: STATES, change: setState }),
      empty: "No lease has a GPU.",
      columns: [
        { title: "Lease", sort: "requested", cell: (row) => h("code", null, row.id) },
        {
          title: "Tenant",
          sort: "tenant",
          cell: (row) => row.tenant + (row.consumer ? `, ${row.consumer}` : ""),
        },
        { title: "State", sort: "state", cell: (row) => h(Badge, { state: row.state }) },
        { title: "Class", cell: (row) => row.class },
        { title: "GPUs", sort: "gpus", kind: "figure", cell: (row) => number(row.gpus) },
        { title: "Node", cell: (row) => row.nodes.join(", ") || "this one" },
        { title: "Share", kind: "figure", cell: (row) => number(row.share) },
        { title: "Idle", sort: "idle", kind: "figure", cell: (row) => h(Idle, { row }) },
        { title: "Load", sort: "busy", cell: (row) => h(Bar, { percent: row.busyPercent }) },
        { title: "Bytes/s", kind: "figure", cell: (row) => bytes(row.bytesPerSecond) },
        { title: "Programs", kind: "figure", cell: (row) => number(row.sessions) },
        { title: "Until", sort: "expires", cell: (row) => moment(row.expires) },
        { title: "Manage", cell: (row) => manage(row, setOpen) },
      ],
    }),
    open && h(LeaseDialog, { lease: open, caller, tell, close: () => setOpen(null) }),
  );
}

const MOST_SHOWN = 3;

// Of a program's path, where there is one.
const FOLDERS = /^.*\/(?=[^/]+$)/;

export function Programs() {
  return h(
    Fragment,
    null,
    h("h1", null, "Programs"),
    h(LiveTable, {
      title: "Programs that use GPUs",
      view: "programs",
      first: "idle",
      firstDescending: true,
      rowKey: (row) => `${row.lease} ${row.node} ${row.client}`,
      empty: "No program uses a GPU.",
      columns: [
        { title: "Program", sort: "client", cell: (row) => row.client.replace(FOLDERS, "") },
        { title: "Lease", cell: (row) => h("code", null, row.lease) },
        {
          title: "Owner",
          sort: "tenant",
          cell: (row) => [row.tenant, row.user].filter(Boolean).join(", "),
        },
        { title: "Class", cell: (row) => row.class },
        { title: "Node", cell: (row) => row.node || "this one" },
        { title: "Idle", sort: "idle", kind: "figure", cell: (row) => h(Idle, { row }) },
        { title: "Calls", sort: "calls", kind: "figure", cell: (row) => number(row.calls) },
        { title: "In", sort: "bytesIn", kind: "figure", cell: (row) => bytes(row.bytesIn) },
        { title: "Out", sort: "bytesOut", kind: "figure", cell: (row) => bytes(row.bytesOut) },
        {
          title: "Called most",
          cell: (row) => functionWords({ functions: row.functions.slice(0, MOST_SHOWN) }),
        },
        { title: "Away since", cell: (row) => moment(row.awaySince) },
      ],
    }),
  );
}

function Idle({ row }) {
  return h(
    "span",
    { class: row.idleSeconds >= LONG_IDLE_SECONDS ? "long" : "" },
    duration(row.idleSeconds),
  );
}

export function Queue({ caller, tell }) {
  const [open, setOpen] = useState(null);
  return h(
    Fragment,
    null,
    h("h1", null, "Queue"),
    h(LiveTable, {
      title: "Leases that wait",
      view: "queue",
      first: "place",
      rowKey: (row) => row.id,
      empty: "No lease waits.",
      columns: [
        {
          title: "Place",
          kind: "figure",
          cell: (row) => (row.place === null ? UNKNOWN : number(row.place)),
        },
        { title: "Lease", cell: (row) => h("code", null, row.id) },
        { title: "Tenant", cell: (row) => row.tenant + (row.consumer ? `, ${row.consumer}` : "") },
        { title: "Class", cell: (row) => row.class },
        { title: "GPUs", kind: "figure", cell: (row) => number(row.gpus) },
        { title: "Model", cell: (row) => row.wanted || "any" },
        { title: "Since", cell: (row) => moment(row.requested) },
        { title: "Reason", cell: (row) => row.why || UNKNOWN },
        { title: "At the latest", cell: (row) => moment(row.earliest) },
        { title: "Manage", cell: (row) => manage(row, setOpen) },
      ],
    }),
    open && h(LeaseDialog, { lease: open, caller, tell, close: () => setOpen(null) }),
  );
}

/** An answer that is asked for once, and again when it is another question. */
function useAnswer(path, times) {
  const [answer, setAnswer] = useState(null);
  const [failure, setFailure] = useState(null);
  useEffect(() => {
    if (!path) {
      return undefined;
    }
    const ended = new AbortController();
    setFailure(null);
    get(path, ended.signal).then(setAnswer, (refused) => {
      if (!ended.signal.aborted) {
        setFailure(refused);
      }
    });
    return () => ended.abort();
  }, [path, times]);
  return [answer, failure];
}

const DAYS = { 1: "one day", 7: "a week", 30: "30 days", 90: "90 days", 365: "a year" };
const GROUPS = { tenant: "tenant", model: "model", site: "site" };

export function Usage() {
  const [by, setBy] = useState("tenant");
  const [days, setDays] = useState("7");
  const [answer, failure] = useAnswer("/v1/views/usage" + query({ by, days }));
  const lines = answer
    ? answer.series.map((line) => ({ name: line.name, values: line.hours }))
    : [];
  return h(
    Fragment,
    null,
    h("h1", null, "Usage"),
    h(
      "div",
      { class: "tools" },
      h(Choice, { label: "By", value: by, choices: GROUPS, change: setBy }),
      h(Choice, { label: "Of the last", value: days, choices: DAYS, change: setDays }),
    ),
    h(Failure, { failure }),
    !answer && !failure && h("p", { role: "status" }, "Loading…"),
    answer &&
      lines.length === 0 &&
      h("p", { class: "empty" }, "The ledger has nothing of that time."),
    answer &&
      !answer.whole &&
      h(
        "p",
        { class: "failure" },
        "The ledger has more rows than are read: the last ones are missing.",
      ),
    lines.length > 0 &&
      h(
        Fragment,
        null,
        h(Chart, { label: `GPU hours by ${by}`, moments: answer.moments, lines, bars: true }),
        h(
          "p",
          null,
          `GPU hours by their shares, each ${answer.step === 3600 ? "hour" : "day"}. ` +
            "The ledger has an hour once it is over, and a lease once it has ended.",
        ),
        h(
          "table",
          { role: "table", class: "sums" },
          h(
            "thead",
            { role: "rowgroup" },
            h(
              "tr",
              { role: "row" },
              h("th", { scope: "col", role: "columnheader" }, by),
              h("th", { scope: "col", role: "columnheader", class: "figure" }, "GPU hours"),
            ),
          ),
          h(
            "tbody",
            { role: "rowgroup" },
            lines.map((line) =>
              h(
                "tr",
                { key: line.name, role: "row" },
                h("td", { role: "cell", "data-title": by }, line.name),
                h(
                  "td",
                  { role: "cell", class: "figure", "data-title": "GPU hours" },
                  number(line.values.reduce((one, other) => one + other, 0)),
                ),
              ),
            ),
          ),
        ),
      ),
  );
}

const BOOKS = { operators: "changes of operators", users: "changes of users", refused: "refusals" };

export function Audit({ caller }) {
  const [book, setBook] = useState("operators");
  const [times, setTimes] = useState(0);
  const path = caller.role === "operator" && "/v1/views/audit" + query({ book, limit: 100 });
  const [answer, failure] = useAnswer(path, times);
  if (caller.role !== "operator") {
    return h(
      Fragment,
      null,
      h("h1", null, "Audit"),
      h("p", { class: "empty" }, "The audit log is for operators."),
    );
  }
  const titles = ["Time", "Operation", "Path", "Status", "Token", "Role", "Tenant", "Address"];
  return h(
    Fragment,
    null,
    h("h1", null, "Audit"),
    h(
      "div",
      { class: "tools" },
      h(Choice, { label: "Book", value: book, choices: BOOKS, change: setBook }),
      h("button", { type: "button", onClick: () => setTimes(times + 1) }, "Look again"),
    ),
    h(Failure, { failure }),
    answer && answer.lines.length === 0 && h("p", { class: "empty" }, "This book has no line yet."),
    answer &&
      answer.lines.length > 0 &&
      h(
        "table",
        { role: "table" },
        h(
          "thead",
          { role: "rowgroup" },
          h(
            "tr",
            { role: "row" },
            titles.map((title) =>
              h("th", { key: title, scope: "col", role: "columnheader" }, title),
            ),
          ),
        ),
        h(
          "tbody",
          { role: "rowgroup" },
          answer.lines.map((line, place) =>
            h(
              "tr",
              { key: place, role: "row" },
              titles.map((title) =>
                h(
                  "td",
                  { key: title, role: "cell", "data-title": title },
                  title === "Time"
                    ? moment(line.time)
                    : String(line[title.toLowerCase()] ?? line.event ?? UNKNOWN),
                ),
              ),
            ),
          ),
        ),
      ),
  );
}
