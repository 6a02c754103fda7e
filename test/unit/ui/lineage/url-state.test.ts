import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { sideKey } from "../../../../src/ui/pages/lineage/model/graph.ts";
import { readView, writeView } from "../../../../src/ui/pages/lineage/model/url-state.ts";
import {
  createView,
  MAX_COLUMNS,
  MAX_HOPS,
  MAX_OPEN,
  MAX_PICKED,
  MAX_TYPE_NAME,
  openSide,
  toggleColumns,
  togglePicked,
  type View,
} from "../../../../src/ui/pages/lineage/model/view.ts";
import { idOf } from "../../../support/drawn-graph.ts";

const ROOT = idOf("root");
const restore = (view: View): View => readView(view.root, writeView(view));

const id = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 32, maxLength: 32 });
const side = fc.constantFrom("up" as const, "down" as const);
const key = fc.tuple(id, side).map(([of, at]) => sideKey(of, at));
const anyView = fc.record({
  root: fc.constant(ROOT),
  open: fc
    .uniqueArray(fc.tuple(key, fc.integer({ min: 1, max: 600 })), { maxLength: MAX_OPEN, selector: ([first]) => first })
    .map((entries) => new Map(entries)),
  picked: fc
    .uniqueArray(fc.tuple(key, fc.array(id, { minLength: 1, maxLength: 3 })), {
      maxLength: 10,
      selector: ([first]) => first,
    })
    .map((entries) => new Map(entries)),
  hidden: fc.subarray(["table", "model", "metric"] as const).map((types) => new Set(types)),
  hops: fc.record({ up: fc.nat(MAX_HOPS), down: fc.nat(MAX_HOPS) }),
  pathTo: fc.option(id),
  columns: fc.uniqueArray(id, { maxLength: MAX_COLUMNS }).map((ids) => new Set(ids)),
  change: fc.option(
    fc.oneof(
      fc.record({
        of: id,
        type: fc.constantFrom("column_drop" as const, "deprecate" as const),
        newType: fc.constant(null),
      }),
      fc.record({
        of: id,
        type: fc.constant("type_change" as const),
        newType: fc.option(fc.string({ minLength: 1, maxLength: MAX_TYPE_NAME })),
      }),
    ),
  ),
  compareWith: fc.option(fc.constantFrom("2026-05-31", "7d", "12h", "0123456789abcdef0123456789abcdef")),
  asOf: fc.option(fc.constantFrom("2026-05-31", "2026-05-31T08:30Z", "2026-05-31T08:30:00.123Z")),
  form: fc.constantFrom("canvas" as const, "table" as const),
});
/** A column is chosen only of a node that is. */
const view = fc
  .tuple(anyView, fc.option(id), fc.option(id))
  .map(([seen, selected, column]): View =>
    Object.assign(seen, { selected, column: selected === null ? null : column }),
  );

describe("The view in the URL", () => {
  it("A view is restored from its URL", () => {
    fc.assert(
      fc.property(view, (seen) => {
        expect(restore(seen)).toEqual(seen);
      }),
    );
  });

  it("The first view adds nothing to the URL", () => {
    expect(writeView(createView(ROOT)).toString()).toBe("");
    expect(readView(ROOT, new URLSearchParams())).toEqual(createView(ROOT));
  });

  it("The URL of a view says that everything was closed", () => {
    const closed = { ...createView(ROOT), open: new Map() };
    expect(restore(closed).open.size).toBe(0);
  });

  it("The URL of a view stays below 4,000 characters, however much is open", () => {
    let full = createView(ROOT);
    for (let index = 0; index < 200; index++) {
      full = openSide(full, idOf(`n${index}`), "down");
      full = togglePicked(full, ROOT, "down", idOf(`p${index}`));
      full = toggleColumns(full, idOf(`c${index}`));
    }
    full = { ...full, change: { of: idOf("changed"), type: "type_change", newType: "n".repeat(MAX_TYPE_NAME) } };
    expect([full.open.size, full.columns.size, full.picked.get(sideKey(ROOT, "down"))?.length]).toEqual([
      MAX_OPEN,
      MAX_COLUMNS,
      MAX_PICKED,
    ]);
    expect(writeView(full).toString().length).toBeLessThan(4_000);
  });

  it("A view is read from any text as far as possible, and never has more than a picture can have", () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[\w.-]{0,80}$/));
    fc.assert(
      fc.property(text, text, text, (open, pick, at) => {
        const read = readView(
          ROOT,
          new URLSearchParams({
            open,
            pick,
            at,
            column: pick,
            up: at,
            down: open,
            to: pick,
            hide: open,
            columns: pick,
            view: at,
            of: at,
            type: open,
            change: "type_change",
          }),
        );
        for (const count of read.open.values()) expect(count).toBeLessThanOrEqual(600);
        expect(Math.max(read.hops.up, read.hops.down)).toBeLessThanOrEqual(MAX_HOPS);
        expect(restore(read)).toEqual(read);
      }),
    );
  });
});
