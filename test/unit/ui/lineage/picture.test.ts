import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { add, addPage, EMPTY_GRAPH, linkKey, sideKey, walkKey } from "../../../../src/ui/pages/lineage/model/graph.ts";
import { listNeeds } from "../../../../src/ui/pages/lineage/model/needs.ts";
import { describeUndrawn, drawPicture } from "../../../../src/ui/pages/lineage/model/picture.ts";
import {
  closeSide,
  createView,
  MAX_ADDED,
  MAX_HOPS,
  openSide,
  showHops,
  showMore,
  showPath,
  toggleColumns,
  togglePicked,
  toggleType,
  type View,
} from "../../../../src/ui/pages/lineage/model/view.ts";
import { graphOf, idOf, linksOf } from "../../../support/drawn-graph.ts";

const GRAPH = graphOf("raw > a > root > b > c > d, root > c, x > b");

const draw = (view: View, graph = GRAPH) => {
  const picture = drawPicture(graph, view);
  const nameOf = (id: string): string => graph.nodes.get(id)?.name ?? id;
  return {
    names: Array.from(picture.nodes.values(), ({ name }) => name).toSorted(),
    links: Array.from(picture.links.values(), ({ from, to }) => `${nameOf(from)} > ${nameOf(to)}`).toSorted(),
    folds: picture.folds.map(({ of, side, count }) => `${nameOf(of)} ${side} ${count}`),
    unseen: Object.fromEntries(
      [...picture.unseen].map(([key, count]) => {
        const [id = "", side] = key.split(" ");
        return [`${nameOf(id)} ${side}`, count];
      }),
    ),
    picture,
  };
};

describe("Pictures of a lineage", () => {
  it("A picture shows one hop both ways at first, and the number of hidden neighbours of each node", () => {
    const { names, unseen } = draw(createView(idOf("root")));
    expect(names).toEqual(["a", "b", "c", "root"]);
    expect(unseen).toEqual({ "a up": 1, "b up": 1, "c down": 1 });
  });

  it("A picture links all nodes that it shows, not only those that were opened", () => {
    const { links } = draw(createView(idOf("root")));
    expect(links).toEqual(["a > root", "b > c", "root > b", "root > c"]);
  });

  it("A picture opens one more hop, and closes it with all that depends on it", () => {
    const start = createView(idOf("root"));
    const opened = openSide(openSide(start, idOf("c"), "down"), idOf("b"), "up");
    expect(draw(opened).names).toEqual(["a", "b", "c", "d", "root", "x"]);
    expect(draw(closeSide(opened, idOf("root"), "down")).names).toEqual(["a", "root"]);
  });

  it("A link through a hidden type is drawn from end to end, without a node of that type", () => {
    const graph = graphOf("a > root > pipe > dash", { types: { pipe: "pipeline", dash: "dashboard" } });
    const opened = openSide(createView(idOf("root")), idOf("pipe"), "down");
    const { names, links, picture } = draw(toggleType(opened, "pipeline"), graph);
    expect(names).toEqual(["a", "dash", "root"]);
    expect(links).toEqual(["a > root", "root > dash"]);
    expect(picture.links.get(linkKey({ from: idOf("root"), to: idOf("dash") }))?.through).toBe(1);
  });

  it("A picture says which types are hidden beside what is not drawn for want of room", () => {
    const hidden = new Set(["table", "model"] as const);
    expect(describeUndrawn({ undrawn: { up: 0, down: 0 }, hidden: new Set() })).toEqual([]);
    expect(describeUndrawn({ undrawn: { up: 1_234, down: 0 }, hidden })).toEqual([
      "1,234 more upstream are within these hops, but not drawn: the nearest come first.",
      "Hidden types: table, model.",
    ]);
  });

  it("A picture keeps the root, whatever types are hidden", () => {
    expect(draw(toggleType(createView(idOf("root")), "model")).names).toEqual(["root"]);
  });

  it("A picture of a cycle ends", () => {
    const graph = graphOf("root > a > root, a > b > a", { types: { a: "pipeline" } });
    const view = openSide(createView(idOf("root")), idOf("a"), "down");
    expect(draw(view, graph).links).toContain("b > a");
    expect(draw(toggleType(view, "pipeline"), graph).links).toEqual(["b > root", "root > b"]);
  });

  it("A picture links only shown nodes, and folds or counts every hidden neighbour", () => {
    const names = "abcdefgh";
    const edge = fc.tuple(fc.nat(7), fc.nat(7)).filter(([from, to]) => from !== to);
    const opens = fc.array(fc.tuple(fc.nat(7), fc.constantFrom("up", "down") as fc.Arbitrary<"up" | "down">));
    fc.assert(
      fc.property(fc.array(edge, { minLength: 1, maxLength: 20 }), opens, (edges, opened) => {
        const graph = graphOf(edges.map(([from, to]) => `${names[from]} > ${names[to]}`).join(","));
        const root = [...graph.nodes.keys()][0] ?? "";
        let view = createView(root);
        for (const [index, side] of opened) view = openSide(view, idOf(names[index] ?? ""), side);
        const { picture } = draw(view, graph);
        for (const { from, to } of picture.links.values()) {
          expect([picture.nodes.has(from), picture.nodes.has(to)]).toEqual([true, true]);
        }
        for (const [id, node] of picture.nodes) {
          for (const side of ["up", "down"] as const) {
            const end = side === "up" ? "to" : "from";
            const shown = [...picture.links.values()].filter((link) => link[end] === id).length;
            const folded = picture.folds.find((fold) => fold.of === id && fold.side === side)?.count ?? 0;
            const distinct = new Set(graph.lists.get(sideKey(id, side))?.ids).size;
            const total = shown + folded + (picture.unseen.get(sideKey(id, side)) ?? 0);
            expect(total).toBe(Math.max(distinct, node.totals[side]));
          }
        }
      }),
    );
  });
});

describe("Hubs", () => {
  const leaves = Array.from({ length: 240 }, (_, index) => `leaf${index}`);
  const graph = graphOf(leaves.map((leaf) => `hub > ${leaf}`).join(","));
  const first = createView(idOf("hub"));

  it("A hub folds all but its first neighbours, and shows more of them each time", () => {
    expect(draw(first, graph).folds).toEqual(["hub down 232"]);
    const more = showMore(first, idOf("hub"), "down");
    expect(draw(more, graph).names).toHaveLength(57);
    expect(draw(more, graph).folds).toEqual(["hub down 184"]);
  });

  it("A hub shows one neighbour chosen from the fold, and hides it again", () => {
    const picked = togglePicked(first, idOf("hub"), "down", idOf("leaf200"));
    expect(draw(picked, graph).names).toContain("leaf200");
    expect(draw(picked, graph).folds).toEqual(["hub down 231"]);
    expect(togglePicked(picked, idOf("hub"), "down", idOf("leaf200"))).toEqual(first);
  });

  it("A hub shows at most as many neighbours as a picture can have", () => {
    let view = first;
    for (let time = 0; time < 50; time++) view = showMore(view, idOf("hub"), "down");
    expect(view.open.get(sideKey(idOf("hub"), "down"))).toBe(600);
  });
});

describe("All within some hops of the root", () => {
  const view = showHops(createView(idOf("root")), { up: 0, down: 2 });
  const walk = { ids: ["b", "c", "d"].map(idOf), links: linksOf("root > b > c > d, root > c"), total: 3 };
  const walked = add(GRAPH, "walks", [[walkKey(idOf("root"), "down", 2), walk]]);

  it("A walk is loaded first, and then its nodes", () => {
    expect(listNeeds(GRAPH, view)).toEqual([{ what: "walk", id: idOf("root"), side: "down", hops: 2 }]);
    const nodes = new Map([...walked.nodes].filter(([id]) => id !== idOf("d")));
    expect(listNeeds({ ...walked, nodes }, view)).toEqual([{ what: "nodes", ids: [idOf("d")] }]);
    expect(listNeeds(walked, view)).toEqual([]);
  });

  it("A walk is drawn with its links, and its nodes can still be opened", () => {
    const { names, links, unseen } = draw(view, walked);
    expect(names).toEqual(["b", "c", "d", "root"]);
    expect(links).toEqual(["b > c", "c > d", "root > b", "root > c"]);
    expect(unseen).toEqual({ "root up": 1, "b up": 1 });
    expect(draw(openSide(view, idOf("b"), "up"), walked).names).toContain("x");
  });

  it("A walk is drawn as far as there is room, the nearest first, and the rest is counted", () => {
    const leaves = Array.from({ length: 300 }, (_, place) => `leaf${place}`);
    const links = linksOf(leaves.map((leaf) => `root > ${leaf}`).join(","));
    const wide = { ids: leaves.map(idOf), links, total: 812 };
    const graph = add(graphOf(leaves.map((leaf) => `root > ${leaf}`).join(",")), "walks", [
      [walkKey(idOf("root"), "down", 2), wide],
    ]);
    const { picture } = draw(view, graph);
    expect(picture.nodes.size).toBe(MAX_ADDED + 1);
    expect(picture.undrawn).toEqual({ up: 0, down: 812 - MAX_ADDED });
  });
});

const pathTo = (name: string) => {
  const links = linksOf("root > b > c > d, root > c");
  const down = { ids: ["b", "c", "d"].map(idOf), links, total: 3 };
  const up = { ids: ["a", "raw"].map(idOf), links: linksOf("raw > a > root"), total: 2 };
  const walked = add(GRAPH, "walks", [
    [walkKey(idOf("root"), "down", MAX_HOPS), down],
    [walkKey(idOf("root"), "up", MAX_HOPS), up],
  ]);
  return draw(showPath(createView(idOf("root")), idOf(name)), walked);
};

describe("The path between the root and another asset", () => {
  it("A path has all that leads from one asset to the other, downstream or upstream, and nothing else", () => {
    expect(pathTo("d").names).toEqual(["b", "c", "d", "root"]);
    expect(pathTo("raw").names).toEqual(["a", "raw", "root"]);
    expect([...(pathTo("raw").picture.path?.nodes ?? [])].toSorted()).toEqual(
      ["a", "raw", "root"].map(idOf).toSorted(),
    );
  });

  it("A path is empty if neither asset leads to the other", () => {
    const { names, picture } = pathTo("x");
    expect(names).toEqual(["root"]);
    expect(picture.path?.nodes.size).toBe(0);
  });

  it("A path is looked for both ways, as far as the service walks", () => {
    const needs = listNeeds(GRAPH, showPath(createView(idOf("root")), idOf("x")));
    const walk = { what: "walk", id: idOf("root"), hops: 10 };
    expect(needs).toEqual([
      { ...walk, side: "up" },
      { ...walk, side: "down" },
    ]);
  });
});

describe("Parts to load", () => {
  it("The root and its neighbours are loaded first, in one round", () => {
    const needs = listNeeds(EMPTY_GRAPH, createView("r"));
    const pages = { what: "pages", ids: ["r"], count: 8, after: null };
    expect(needs).toEqual([
      { what: "nodes", ids: ["r"] },
      { ...pages, side: "up" },
      { ...pages, side: "down" },
    ]);
  });

  it("The next page of a list is loaded if the list shows more than is loaded", () => {
    const graph = graphOf("hub > a", { totals: { hub: { down: 90 } } });
    const listed = addPage(graph, idOf("hub"), "down", { nodes: [], links: [], ids: [idOf("a")], cursor: "next" });
    const needs = listNeeds(listed, showMore(createView(idOf("hub")), idOf("hub"), "down"));
    expect(needs).toEqual([{ what: "pages", ids: [idOf("hub")], side: "down", count: 55, after: "next" }]);
  });

  it("Nothing is loaded if the whole list is there, even if the service counts more", () => {
    const graph = graphOf("root > a", { totals: { root: { down: 3 } } });
    expect(listNeeds(graph, createView(idOf("root")))).toEqual([]);
  });

  it("Pages are loaded together, in queries that cost no more than the service permits", () => {
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
    const graph = graphOf(names.map((name) => `root > ${name}`).join(","), {
      totals: Object.fromEntries(names.map((name) => [name, { down: 500 }])),
    });
    const lists = new Map([...graph.lists].filter(([key]) => key.startsWith(idOf("root"))));
    let view = createView(idOf("root"));
    view = showMore(view, idOf("root"), "down");
    for (const name of names) view = openSide(view, idOf(name), "down");
    const needs = listNeeds({ ...graph, lists }, showMore(view, idOf("n3"), "down"));
    const pages = needs.flatMap((need) => (need.what === "pages" ? [need] : []));
    expect(needs).toHaveLength(pages.length);
    expect(pages.flatMap(({ ids }) => ids)).toHaveLength(56);
    expect(pages.length).toBeLessThan(5);
    for (const { ids, count } of pages) expect(ids.length * count).toBeLessThanOrEqual(280);
    const ofWide = pages.find(({ ids }) => ids.includes(idOf("n3")));
    expect(ofWide?.count).toBe(56);
  });

  it("The columns of shown nodes, and nodes chosen from a fold, are loaded", () => {
    const view = toggleColumns(togglePicked(createView(idOf("root")), idOf("root"), "down", "far"), idOf("a"));
    expect(listNeeds(GRAPH, toggleColumns(view, idOf("d")))).toEqual([
      { what: "nodes", ids: ["far"] },
      { what: "columns", id: idOf("a") },
    ]);
  });
});
