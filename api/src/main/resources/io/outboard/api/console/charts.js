// SPDX-License-Identifier: Apache-2.0
// Charts of uPlot, which draws on a canvas: each has its figures in words beside it.
import { h, useEffect, useRef } from "./parts.js";

const COLOURS = [
  "--line-1",
  "--line-2",
  "--line-3",
  "--line-4",
  "--line-5",
  "--line-6",
  "--line-7",
  "--line-8",
  "--line-9",
];
const HEIGHT = 220;

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function options(width, names, bars) {
  const axis = {
    stroke: colour("--text"),
    grid: { stroke: colour("--border"), width: 1 },
    ticks: { stroke: colour("--border") },
  };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, low, high) => [0, Math.max(1, high * 1.1)] } },
    axes: [axis, axis],
    series: [
      {},
      ...names.map((name, place) => ({
        label: name,
        stroke: colour(COLOURS[place % COLOURS.length]),
        width: 2,
        points: { show: bars },
      })),
    ],
  };
}

/** Lines over time: `moments` in seconds, `lines` have a name and values. */
export function Chart({ label, moments, lines, bars }) {
  const place = useRef(null);
  const names = JSON.stringify(lines.map((line) => line.name));
  useEffect(() => {
    let chart = null;
    const draw = () => {
      if (chart) {
        chart.destroy();
      }
      const width = Math.max(200, place.current.clientWidth);
      const data = [moments, ...lines.map((line) => line.values)];
      chart = new window.uPlot(options(width, JSON.parse(names), bars), data, place.current);
    };
    const dark = matchMedia("(prefers-color-scheme: dark)");
    draw();
    addEventListener("resize", draw);
    dark.addEventListener("change", draw);
    return () => {
      removeEventListener("resize", draw);
      dark.removeEventListener("change", draw);
      chart.destroy();
    };
  }, [moments, names]);
  return h(
    "figure",
    { class: "chart" },
    h("div", { ref: place, role: "img", "aria-label": label }),
    h(
      "figcaption",
      null,
      lines.map((line, number) =>
        h(
          "span",
          { key: line.name, class: "key" },
          h("span", {
            class: "swatch line-" + ((number % COLOURS.length) + 1),
            "aria-hidden": "true",
          }),
          line.words || line.name,
        ),
      ),
    ),
  );
}
