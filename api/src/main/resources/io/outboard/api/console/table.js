// SPDX-License-Identifier: Apache-2.0
// A live table: a page of a view, sorted and searched at the server.
import { watch } from "./server.js";
import { Failure, h, useEffect, useState } from "./parts.js";

const ROWS = 25;
const TYPING_MS = 300;

function useLater(value) {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

function Heading({ column, sort, descending, order }) {
  const sorted = column.sort && column.sort === sort;
  const direction = descending ? "descending" : "ascending";
  return h(
    "th",
    {
      scope: "col",
      role: "columnheader",
      class: column.kind || "",
      "aria-sort": sorted ? direction : undefined,
    },
    column.sort
      ? h(
          "button",
          { type: "button", onClick: () => order(column.sort) },
          column.title,
          h("span", { "aria-hidden": "true" }, sorted ? (descending ? " ▼" : " ▲") : ""),
        )
      : column.title,
  );
}

function Pager({ offset, total, go }) {
  const last = Math.min(total, offset + ROWS);
  return h(
    "nav",
    { class: "pager", "aria-label": "Pages" },
    h(
      "button",
      { type: "button", disabled: offset === 0, onClick: () => go(offset - ROWS) },
      "Previous",
    ),
    h(
      "span",
      { role: "status" },
      total ? `${offset + 1}–${last} of ${total.toLocaleString()}` : "None",
    ),
    h(
      "button",
      { type: "button", disabled: last >= total, onClick: () => go(offset + ROWS) },
      "Next",
    ),
  );
}

/**
 * `view` is the server's name of it, `columns` have title, cell, perhaps sort and kind, `filters`
 * are more values of the query, `tools` stand beside the search.
 */
export function LiveTable({
  title,
  view,
  columns,
  first,
  firstDescending,
  filters,
  tools,
  empty,
  rowKey,
}) {
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState(first);
  const [descending, setDescending] = useState(Boolean(firstDescending));
  const [offset, setOffset] = useState(0);
  const [page, setPage] = useState(null);
  const [failure, setFailure] = useState(null);
  const searched = useLater(search);
  const more = JSON.stringify(filters || {});
  useEffect(() => setOffset(0), [searched, more]);
  useEffect(() => {
    const values = { search: searched, sort, descending, offset, limit: ROWS, ...JSON.parse(more) };
    return watch(view, values, setPage, setFailure);
  }, [view, searched, sort, descending, offset, more]);
  useEffect(() => {
    if (page && page.total > 0 && offset >= page.total) {
      setOffset(0);
    }
  }, [page]);
  const order = (by) => {
    setDescending(by === sort ? !descending : by !== "name" && by !== "tenant");
    setSort(by);
    setOffset(0);
  };
  return h(
    "section",
    { class: "table", "aria-label": title },
    h(
      "div",
      { class: "tools" },
      h("h2", null, title),
      h(
        "label",
        { class: "search" },
        h("span", null, "Search"),
        h("input", {
          type: "search",
          value: search,
          onInput: (event) => setSearch(event.target.value),
        }),
      ),
      tools,
    ),
    h(Failure, { failure }),
    !page && !failure && h("p", { role: "status" }, "Loading…"),
    page &&
      page.total === 0 &&
      h("p", { class: "empty" }, searched ? "Nothing has that in its name." : empty),
    page &&
      page.total > 0 &&
      h(
        "table",
        { role: "table", class: failure ? "stale" : "" },
        h(
          "thead",
          { role: "rowgroup" },
          h(
            "tr",
            { role: "row" },
            columns.map((column) =>
              h(Heading, { key: column.title, column, sort, descending, order }),
            ),
          ),
        ),
        h(
          "tbody",
          { role: "rowgroup" },
          page.rows.map((row) =>
            h(
              "tr",
              { key: rowKey(row), role: "row" },
              columns.map((column) =>
                h(
                  "td",
                  {
                    key: column.title,
                    role: "cell",
                    class: column.kind || "",
                    "data-title": column.title,
                  },
                  column.cell(row),
                ),
              ),
            ),
          ),
        ),
      ),
    page && page.total > ROWS && h(Pager, { offset, total: page.total, go: setOffset }),
  );
}
