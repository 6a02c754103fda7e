import { describe, expect, it } from "vitest";

import {
  boundsOf,
  fitAll,
  fitReadable,
  keepPlace,
  listOutside,
  moveInto,
  READABLE,
  sortByDistance,
} from "../../../../src/ui/pages/lineage/model/fit.ts";
import { LAYER_GAP, NODE_WIDTH } from "../../../../src/ui/pages/lineage/model/sizes.ts";
import { boxAt } from "../../../support/drawn-graph.ts";

const LAPTOP = { width: 1_056, height: 600 };
const PHONE = { width: 390, height: 560 };
const column = (x: number, count: number) =>
  Array.from({ length: count }, (_, row) => [`${x} ${row}`, boxAt(x, row * 70)] as const);
const WIDE = new Map([["root", boxAt(0, 280)], ...column(300, 9), ...column(600, 20), ...column(900, 5)]);

describe("The first window over a picture", () => {
  it("A picture that can be read at once is shown whole", () => {
    const boxes = new Map([
      ["root", boxAt(0, 0)],
      ["a", boxAt(300, 0)],
    ]);
    const viewport = fitReadable(boxes, boxes.keys(), LAPTOP);
    expect(viewport.zoom).toBe(1);
    expect(Object.values(listOutside(viewport, boxes, LAPTOP)).flat()).toEqual([]);
  });

  it.each([LAPTOP, PHONE])("The first window never draws text smaller than 11 pixels, and shows the root", (window) => {
    const root = WIDE.get("root") ?? boxAt(0, 0);
    const viewport = fitReadable(WIDE, sortByDistance(WIDE.keys(), WIDE, root), window);
    expect(12 * viewport.zoom).toBeGreaterThanOrEqual(11);
    expect(Object.values(listOutside(viewport, WIDE, window)).flat()).not.toContain("root");
  });

  it("A laptop shows a root and its first eight neighbours", () => {
    const boxes = new Map([["root", boxAt(0, 280)], ...column(300, 8)]);
    expect(fitReadable(boxes, boxes.keys(), LAPTOP).zoom).toBeGreaterThanOrEqual(READABLE);
    expect(Object.values(listOutside(fitReadable(boxes, boxes.keys(), LAPTOP), boxes, LAPTOP)).flat()).toEqual([]);
  });

  it("A window of 1,440 pixels shows four columns that can be read, and three beside a panel", () => {
    const columns = Array.from({ length: 4 }, (_, place) => ({
      ...boxAt(place * (NODE_WIDTH + LAYER_GAP), 0),
      width: NODE_WIDTH,
    }));
    const beside = { width: 1_440 - 224, height: 700 };
    expect(fitAll(columns, beside).zoom).toBeGreaterThanOrEqual(READABLE);
    expect(fitAll(columns.slice(1), { ...beside, width: beside.width - 320 }).zoom).toBeGreaterThanOrEqual(READABLE);
  });

  it("The first window leaves nothing empty beyond the end of a picture that it cuts at the other end", () => {
    const boxes = new Map(column(0, 1).concat(column(300, 1), column(600, 1), column(900, 1)));
    const viewport = fitReadable(boxes, [...boxes.keys()].toReversed(), { width: 700, height: 300 });
    const right = 1_124 * viewport.zoom + viewport.x;
    expect(right).toBeCloseTo(700 - 24);
    expect(27 * viewport.zoom + viewport.y).toBeCloseTo(150);
  });

  it("Each node outside is counted once, at the edge where it is", () => {
    const viewport = { x: 0, y: 0, zoom: 1 };
    const outside = listOutside(viewport, WIDE, { width: 500, height: 300 });
    expect(outside.right).toHaveLength(25);
    expect(outside.below.toSorted()).toEqual(["300 4", "300 5", "300 6", "300 7", "300 8", "root"]);
    expect([...outside.left, ...outside.above]).toEqual([]);
  });
});

describe("The whole picture in the window", () => {
  it("The whole picture is in the middle, at no more than full size", () => {
    expect(fitAll([boxAt(0, 0)], { width: 1_000, height: 600 })).toEqual({ x: 388, y: 273, zoom: 1 });
  });

  it("A large picture is made as small as needed", () => {
    const boxes = [boxAt(0, 0), boxAt(10_000, 8_000)];
    expect(boundsOf(boxes).height * fitAll(boxes, LAPTOP).zoom).toBeLessThan(600);
  });
});

describe("The window after a hop was opened", () => {
  const boxes = new Map([
    ["a", boxAt(0, 0)],
    ["near", boxAt(300, 0)],
    ["far", boxAt(4_000, 0)],
  ]);

  it("The window moves only as far as the nearest new nodes need", () => {
    const before = { x: 100, y: 100, zoom: 1 };
    const moved = moveInto(before, boxes, ["a", "near", "far"], { width: 600, height: 300 });
    expect(moved).toEqual({ x: 600 - 24 - 524, y: 100, zoom: 1 });
  });

  it("A node stays where it was in a new layout", () => {
    expect(keepPlace({ x: 5, y: 5, zoom: 0.5 }, boxAt(0, 0), boxAt(100, 40))).toEqual({ x: -45, y: -15, zoom: 0.5 });
  });

  it("The window does not move if the new nodes are in it already", () => {
    const before = { x: 30, y: 30, zoom: 1 };
    expect(moveInto(before, boxes, ["a", "near"], LAPTOP)).toBe(before);
  });
});
