// SPDX-License-Identifier: Apache-2.0
// Small parts that views share, and figures as people read them.
export const { h, Fragment, render } = window.preact;
export const { useState, useEffect, useRef, useCallback } = window.preactHooks;

export const UNKNOWN = "–";

export function bytes(count) {
  if (count === null || count === undefined) {
    return UNKNOWN;
  }
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return (unit && value < 10 ? value.toFixed(1) : Math.round(value)) + " " + units[unit];
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return UNKNOWN;
  }
  if (seconds < 60) {
    return Math.round(seconds) + " s";
  }
  if (seconds < 3600) {
    return Math.floor(seconds / 60) + " min";
  }
  if (seconds < 48 * 3600) {
    return Math.floor(seconds / 3600) + " h " + Math.floor((seconds % 3600) / 60) + " min";
  }
  return Math.floor(seconds / 86400) + " days";
}

export function moment(text) {
  return text
    ? new Date(text).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" })
    : UNKNOWN;
}

export function watts(milliwatts) {
  return milliwatts === null ? UNKNOWN : Math.round(milliwatts / 1000).toLocaleString() + " W";
}

export function degrees(celsius) {
  return celsius === null ? UNKNOWN : celsius + " °C";
}

export function number(value) {
  return value.toLocaleString(undefined, { maximumFractionDigits: 2 });
}

/** The functions that a program called most, by their counts. */
export function functionWords(session) {
  return (
    session.functions.map((one) => `${one.name} ${number(one.count)}`).join(", ") || UNKNOWN
  );
}

/** A part of a whole, as a bar and in words. */
export function Bar({ percent, words, alarm }) {
  if (percent === null || percent === undefined) {
    return h("span", { class: "unknown" }, UNKNOWN);
  }
  const width = Math.max(0, Math.min(100, percent)) + "%";
  return h(
    "span",
    { class: "bar" + (alarm ? " alarm" : "") },
    h(
      "span",
      { class: "track", "aria-hidden": "true" },
      h("span", { class: "fill", style: { width } }),
    ),
    h("span", { class: "words" }, words || Math.round(percent) + " %"),
  );
}

export function Badge({ state }) {
  return h("span", { class: "badge " + state }, state);
}

export function Failure({ failure }) {
  return failure && h("p", { class: "failure", role: "alert" }, failure.message);
}

/** Some of several, each with a label. */
export function Choice({ label, value, choices, change }) {
  return h(
    "label",
    { class: "choice" },
    h("span", null, label),
    h(
      "select",
      { value, onChange: (event) => change(event.target.value) },
      Object.entries(choices).map(([key, words]) =>
        h("option", { value: key, selected: key === value }, words),
      ),
    ),
  );
}
