/** Adding assets of an earlier version to the search indexes, on a store that answers from a list. */
import { int, isInt } from "neo4j-driver";
import { expect, it } from "vitest";

import type { Row, Run } from "../../../../src/graph/memgraph/bolt.ts";
import { ADD_TERMS } from "../../../../src/graph/memgraph/save-terms.ts";
import {
  NEXT_ASSETS,
  NOTE_PROGRESS,
  READ_PROGRESS,
  SET_PLACES,
  upgradeStep,
} from "../../../../src/graph/memgraph/upgrade.ts";

const USAGE = { users: 2, queries: 12, views: null, until: "2026-01-01T00:00:00.000Z" };

function assetRow(id: string, workspace: string, existence = "held"): Row {
  const stored = [`orders_${id}`, `shop.orders_${id}`, `orders_${id}`, ` orders order ${id} `, "  ", "  "];
  return [
    id,
    workspace,
    "table",
    `shop.orders_${id}\u0001${id}`,
    "none",
    "",
    "",
    existence,
    "2026-01-01T00:00:00.000Z",
    id === "0001" ? JSON.stringify(USAGE) : null,
    ...stored,
  ];
}

/** A store with these assets. It keeps the progress, and everything else that was written. */
function createStore(assets: readonly Row[]) {
  const noted = { version: 0, target: 0, indexedTo: "" };
  const written: [statement: string, parameters: Record<string, unknown>][] = [];
  const run: Run = async (statement, parameters) => {
    if (statement === READ_PROGRESS) {
      const isSame = isInt(parameters["target"]) && parameters["target"].toNumber() === noted.target;
      return [[noted.version, isSame ? noted.indexedTo : ""]];
    }
    if (statement === NEXT_ASSETS) {
      const { after, limit } = parameters;
      const most = isInt(limit) ? limit.toNumber() : 0;
      return assets.filter(([id]) => String(id) > String(after)).slice(0, most);
    }
    if (statement === NOTE_PROGRESS) {
      const [version, target] = [parameters["version"], parameters["target"]].map((each) =>
        isInt(each) ? each.toNumber() : 0,
      );
      Object.assign(noted, { version, target, indexedTo: parameters["indexedTo"] });
    } else {
      written.push([statement, parameters]);
    }
    return [];
  };
  return { run, noted, written };
}

it("The upgrade continues after the last step, and ends after the last asset", async () => {
  const ids = Array.from({ length: 1_200 }, (_, i) => String(i).padStart(4, "0"));
  const { run, noted, written } = createStore(ids.map((id) => assetRow(id, "w")));
  expect(await upgradeStep(run)).toBe(false);
  expect(noted).toEqual({ version: 0, target: 4, indexedTo: "0499" });
  expect(await upgradeStep(run)).toBe(false);
  expect(await upgradeStep(run)).toBe(true);
  expect(noted).toEqual({ version: 4, target: 4, indexedTo: "" });
  const placed = written.filter(([statement]) => statement === SET_PLACES).flatMap(([, { rows }]) => rows as Row[]);
  expect(placed.map(([id]) => id)).toEqual(ids);
  expect(placed[0]?.slice(6)).toEqual([
    "w\u0001table\u0001orders_0000\u0001shop.orders_0000\u00010000",
    "w\u0001table\u00018232774399999\u0001shop.orders_0000\u00010000",
    "w\u0001table\u00019007199254740991\u0001shop.orders_0000\u00010000",
    int(0),
  ]);
  expect(placed[1]?.slice(8)).toEqual([
    "w\u0001table\u00019007190664806387\u0001shop.orders_0001\u00010001",
    int(8_589_934_604),
  ]);
  const before = written.length;
  expect(await upgradeStep(run)).toBe(true);
  expect(written.length).toBe(before);
});

it("The upgrade gives each workspace its own terms, and none to assets that are only referenced", async () => {
  const { run, written } = createStore([
    assetRow("a", "one"),
    assetRow("b", "two"),
    assetRow("c", "two", "referenced"),
  ]);
  expect(await upgradeStep(run)).toBe(true);
  const added = written.filter(([statement]) => statement === ADD_TERMS);
  expect(added.map(([, { workspace }]) => workspace)).toEqual(["one", "two"]);
  expect(added.flatMap(([, { rows }]) => (rows as Row[]).flatMap(([, ids]) => ids))).toEqual([..."aaa", ..."bbb"]);
  expect(JSON.stringify(written)).not.toContain('"c"');
});

it("The upgrade starts again if another version left it half done", async () => {
  const ids = Array.from({ length: 600 }, (_, i) => String(i).padStart(4, "0"));
  const { run, noted, written } = createStore(ids.map((id) => assetRow(id, "w")));
  Object.assign(noted, { target: 99, indexedTo: "0550" });
  expect(await upgradeStep(run)).toBe(false);
  expect(await upgradeStep(run)).toBe(true);
  const placed = written.filter(([statement]) => statement === SET_PLACES).flatMap(([, { rows }]) => rows as Row[]);
  expect(placed).toHaveLength(600);
});
