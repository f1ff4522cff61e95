// SPDX-License-Identifier: Apache-2.0
// Actions of people on leases and GPUs: each is confirmed in a dialog, which says what came of it.
import { get, post, query } from "./server.js";
import {
  Badge,
  bytes,
  duration,
  Failure,
  Fragment,
  functionWords,
  h,
  moment,
  number,
  UNKNOWN,
  useEffect,
  useRef,
  useState,
} from "./parts.js";

/** By a name: what a button says, what is asked, who may, and in which states. */
const LEASE_ACTIONS = {
  suspend: {
    title: "Suspend",
    says: "Its programs are put aside, and others get the GPU until it is resumed.",
    states: ["granted", "active", "idle", "suspended"],
  },
  resume: {
    title: "Resume",
    says: "Its programs go on, once its GPUs are free.",
    states: ["held", "suspended"],
    plain: true,
  },
  drain: {
    title: "Drain",
    says: "No program may begin any more; the lease ends with the last one.",
    states: ["granted", "active", "idle", "suspended", "held"],
  },
  share: {
    title: "Change share",
    says: "Its programs get another part of each GPU's time, at once.",
    states: ["granted", "active", "idle"],
    plain: true,
  },
  release: {
    title: "Release",
    says: "The lease ends, and its programs with it.",
    states: ["requested", "granted", "active", "idle", "suspended", "held", "draining"],
    ends: true,
  },
  revoke: {
    title: "Revoke",
    says: "The operator ends the lease, and its programs with it.",
    states: ["requested", "granted", "active", "idle", "suspended", "held", "draining"],
    operator: true,
    ends: true,
  },
};

function mayChange(caller, action) {
  return caller.role === "operator" || (caller.role === "user" && !action.operator);
}

function Dialog({ title, close, children }) {
  const dialog = useRef(null);
  useEffect(() => {
    dialog.current.showModal();
  }, []);
  return h(
    "dialog",
    { ref: dialog, "aria-labelledby": "dialog-title", onClose: close },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", { id: "dialog-title" }, title),
      h("button", { type: "button", onClick: () => dialog.current.close() }, "Close"),
    ),
    children,
  );
}

/** Asks once more, does it, and says what came of it. */
function Confirm({ action, subject, share, run, back, done }) {
  const [reason, setReason] = useState("");
  const [part, setPart] = useState(share);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(null);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      done(await run(reason, Number(part)));
    } catch (refused) {
      setFailure(refused);
      setBusy(false);
    }
  };
  return h(
    "form",
    { class: "confirm", onSubmit: submit },
    h("h3", null, `${action.title}: ${subject}?`),
    h("p", null, action.says),
    share !== undefined &&
      h(
        "label",
        null,
        h("span", null, "Share of each GPU, from 0.01 to 1"),
        h("input", {
          type: "number",
          min: "0.01",
          max: "1",
          step: "0.001",
          required: true,
          value: part,
          onInput: (event) => setPart(event.target.value),
        }),
      ),
    !action.plain &&
      h(
        "label",
        null,
        h("span", null, "Reason, which is written down"),
        h("input", {
          maxlength: "128",
          value: reason,
          onInput: (event) => setReason(event.target.value),
        }),
      ),
    h(Failure, { failure }),
    busy && h("p", { role: "status" }, "It is being done…"),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        { type: "submit", class: action.ends ? "danger" : "primary", disabled: busy },
        action.title,
      ),
      h("button", { type: "button", disabled: busy, onClick: back }, "Cancel"),
    ),
  );
}

function Facts({ facts }) {
  return h(
    "dl",
    { class: "facts" },
    facts.map(([name, value]) =>
      h("div", { key: name }, h("dt", null, name), h("dd", null, value)),
    ),
  );
}

const LOOK_MS = 5000;

/** The programs of a lease, looked at again while the dialog is open. */
function Programs({ lease }) {
  const [sessions, setSessions] = useState(null);
  const [failure, setFailure] = useState(null);
  useEffect(() => {
    const ended = new AbortController();
    const look = () =>
      get("/v1/sessions" + query({ lease: lease.id }), ended.signal).then(
        (answer) => {
          setSessions(answer.sessions);
          setFailure(null);
        },
        (refused) => {
          if (!ended.signal.aborted) {
            setFailure(refused);
          }
        },
      );
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [lease.id]);
  return h(
    Fragment,
    null,
    h("h3", null, "Programs"),
    h(Failure, { failure }),
    sessions &&
      (sessions.length === 0
        ? h("p", null, "No program uses it.")
        : h(
            "ul",
            { class: "programs" },
            sessions.map((session) =>
              h("li", { key: session.node + session.client }, programWords(session)),
            ),
          )),
  );
}

/** A program in a sentence. */
function programWords(session) {
  const called = functionWords(session);
  return (
    session.client +
    (session.node ? ` on ${session.node}` : "") +
    `: ${number(session.calls)} calls, ${bytes(session.bytesIn)} in, ` +
    `${bytes(session.bytesOut)} out, idle ${duration(session.idleSeconds)}` +
    (called === UNKNOWN ? "" : `; most ${called}`) +
    (session.awaySince ? "; away" : "")
  );
}

function facts(lease) {
  return [
    ["State", h(Badge, { state: lease.state })],
    ["Why", lease.reason || UNKNOWN],
    ["Tenant", lease.tenant],
    ["Consumer", lease.consumer || UNKNOWN],
    ["User", lease.user || UNKNOWN],
    ["Class", lease.class],
    ["GPUs", `${lease.gpus} × ${lease.model || lease.wanted || "any"}`],
    ["Nodes", lease.nodes.join(", ") || UNKNOWN],
    ["Share", number(lease.share)],
    ["Asked for", moment(lease.requested)],
    ["Until", moment(lease.expires)],
    ["Idle", lease.idleSeconds === undefined ? UNKNOWN : duration(lease.idleSeconds)],
  ];
}

function path(lease, name) {
  return `/v1/leases/${encodeURIComponent(lease.id)}/${name === "share" ? "renew" : name}`;
}

/** One for each action that is possible. */
function Buttons({ possible, choose }) {
  return h(
    "div",
    { class: "buttons" },
    possible.map(([name, action]) =>
      h(
        "button",
        {
          key: name,
          type: "button",
          class: action.ends ? "danger" : "",
          onClick: () => choose(name),
        },
        action.title,
      ),
    ),
  );
}

/**
 * Something with what can be done to it: `actions` are those that are possible by their names,
 * `act` does one and says what came of it, `share` is what an action may change.
 */
function Managed({ title, subject, share, actions, act, tell, close, nothing, children }) {
  // With the action itself, which is perhaps possible no more once it is done.
  const [chosen, setChosen] = useState(null);
  const [result, setResult] = useState("");
  const done = (said) => {
    setChosen(null);
    setResult(said);
    tell(said);
  };
  return h(
    Dialog,
    { title, close },
    result && h("p", { class: "result", role: "status" }, result),
    chosen
      ? h(Confirm, {
          action: chosen.action,
          subject,
          share: chosen.name === "share" ? share : undefined,
          run: (reason, part) => act(chosen.name, reason, part),
          back: () => setChosen(null),
          done,
        })
      : h(
          Fragment,
          null,
          children,
          Object.keys(actions).length === 0
            ? nothing && h("p", null, nothing)
            : h(Buttons, {
                possible: Object.entries(actions),
                choose: (name) => setChosen({ name, action: actions[name] }),
              }),
        ),
  );
}

function possible(actions, is) {
  return Object.fromEntries(Object.entries(actions).filter(([, action]) => is(action)));
}

/** A lease, with what can be done to it. */
export function LeaseDialog({ lease, caller, close, tell }) {
  const [now, setNow] = useState(lease);
  const act = async (name, reason, share) => {
    const body = name === "share" ? { share } : reason ? { reason } : {};
    const answer = await post(path(now, name), body);
    setNow({ ...now, ...answer });
    return (
      `Lease ${answer.id} is ${answer.state}` +
      (name === "share" ? `, share ${answer.share}.` : ".")
    );
  };
  return h(
    Managed,
    {
      title: `Lease ${now.id}`,
      subject: `lease ${now.id}`,
      share: now.share,
      actions: possible(
        LEASE_ACTIONS,
        (action) => action.states.includes(now.state) && mayChange(caller, action),
      ),
      act,
      tell,
      close,
      nothing:
        caller.role === "reader"
          ? "A reader's token changes nothing."
          : "Nothing can be done to it any more.",
    },
    h(Facts, { facts: facts(now) }),
    h(Programs, { lease: now }),
  );
}

const GPU_ACTIONS = {
  cordon: {
    title: "Take out",
    says: "Its holder keeps it; nobody else gets it.",
    when: (gpu) => !gpu.cordoned,
  },
  uncordon: {
    title: "Bring back",
    says: "It is given to leases again.",
    when: (gpu) => gpu.cordoned || gpu.closing,
    plain: true,
  },
  readmit: {
    title: "Readmit",
    says: "It failed; it is given to leases again.",
    when: (gpu) => gpu.failed,
    plain: true,
  },
};

export function gpuName(gpu) {
  return (gpu.node ? gpu.node + "/" : "") + gpu.number;
}

/** A GPU, with what can be done to it. */
export function GpuDialog({ gpu, caller, close, tell }) {
  const [now, setNow] = useState(gpu);
  const act = async (name, reason) => {
    const answer = await post(
      `/v1/devices/${encodeURIComponent(now.uuid)}/${name}` + query({ node: now.node }),
      name === "cordon" ? (reason ? { reason } : {}) : undefined,
    );
    const same = (one) => one.uuid === now.uuid && (one.node || "") === now.node;
    setNow({ ...now, ...answer.devices.find(same), node: now.node });
    return `${GPU_ACTIONS[name].title}: GPU ${gpuName(now)} is done.`;
  };
  return h(
    Managed,
    {
      title: `GPU ${gpuName(now)}`,
      subject: `GPU ${gpuName(now)}`,
      actions: possible(
        GPU_ACTIONS,
        (action) => caller.role === "operator" && action.when(now),
      ),
      act,
      tell,
      close,
    },
    h(Facts, {
      facts: [
        ["UUID", now.uuid],
        ["Model", now.model],
        ["Memory", bytes(now.memory)],
        ["Given away", number(now.share)],
        ["Leases", now.leases],
        ["Failed", now.failed || "no"],
        ["Out for maintenance", now.cordoned || "no"],
      ],
    }),
  );
}
