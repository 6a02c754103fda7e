import { describe, expect, it } from "vitest";

import { add, type Column, type ColumnLink, linkKey, walkKey } from "../../../../src/ui/pages/lineage/model/graph.ts";
import { LINE_LOOKS } from "../../../../src/ui/pages/lineage/model/line-looks.ts";
import { boundsOfLine, isBehind, listLines, toPath } from "../../../../src/ui/pages/lineage/model/lines.ts";
import { drawPicture } from "../../../../src/ui/pages/lineage/model/picture.ts";
import { chooseColumns, meetAt, NODE_HEIGHT, sizeOfNode } from "../../../../src/ui/pages/lineage/model/sizes.ts";
import { createView, MAX_ADDED, showHops, toggleType } from "../../../../src/ui/pages/lineage/model/view.ts";
import { writeSvg } from "../../../../src/ui/pages/lineage/export/svg.ts";
import { present } from "../../../support/present.ts";
import { boxAt, graphOf, idOf } from "../../../support/drawn-graph.ts";

const [A, ROOT] = [idOf("a"), idOf("root")];

const columnLink = (uses: ColumnLink["uses"]): ColumnLink => ({
  from: { node: A, id: "a.x" },
  to: { node: ROOT, id: "root.y" },
  uses,
});
const column = (id: string, links: readonly ColumnLink[] = []): Column => ({
  id,
  name: id,
  dataType: null,
  hasGap: false,
  links,
});

const boxes = new Map([
  [A, boxAt(0, 0)],
  [ROOT, boxAt(300, 100, 200)],
]);
const graph = graphOf("a > root");
const picture = drawPicture(graph, createView(ROOT));

describe("Lines of a picture", () => {
  it("A line leads from the right of one node to the left of another", () => {
    const [line] = listLines(picture, graph, boxes, new Set());
    expect(line).toMatchObject({ kind: "derives", start: { x: 224, y: 27 }, end: { x: 300, y: 200 } });
  });

  it("A line goes round nodes that are in its way, where the layout left room", () => {
    const bends = [
      { x: 240, y: 300 },
      { x: 280, y: 300 },
    ];
    const routes = new Map([[linkKey({ from: A, to: ROOT }), bends]]);
    const [line] = listLines(picture, graph, boxes, new Set(), routes);
    const drawn = present(line);
    expect(drawn.bends).toEqual(bends);
    expect(toPath(drawn)).toBe("M224,27 C232,27 232,300 240,300 H280 C290,300 290,200 300,200");
    expect(boundsOfLine(drawn)).toEqual({ x: 224, y: 27, width: 76, height: 273 });
  });

  it("A curve runs behind a node that is in its way between its ends, and behind no other", () => {
    const [source, target] = [boxAt(0, 0), boxAt(1_000, 400)];
    expect(isBehind(source, target, boxAt(500, 200))).toBe(true);
    expect(
      [boxAt(500, 400), boxAt(500, 0), boxAt(1_300, 400), boxAt(0, 100)].map((box) => isBehind(source, target, box)),
    ).toEqual([false, false, false, false]);
  });

  it("A line that leads back is one curve, whatever the layout says", () => {
    const back = new Map([
      [A, boxAt(600, 0)],
      [ROOT, boxAt(300, 100)],
    ]);
    const routes = new Map([[linkKey({ from: A, to: ROOT }), [{ x: 560, y: 300 }]]]);
    expect(listLines(picture, graph, back, new Set(), routes)[0]?.bends).toEqual([]);
  });

  it("A line leads to a column instead of the node where columns are shown", () => {
    const known = add(graph, "columns", [
      [ROOT, [column("root.z"), column("root.y", [columnLink(["DIRECT", "INDIRECT"])])]],
    ]);
    const lines = listLines(picture, known, boxes, new Set([ROOT]));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ kind: "DIRECT", start: { y: 27 }, end: { y: 100 + meetAt([], null) + 27 + 33 } });
  });

  it("The line of a column that only decides rows is indirect", () => {
    const known = add(graph, "columns", [[ROOT, [column("root.y", [columnLink(["INDIRECT"])])]]]);
    expect(listLines(picture, known, boxes, new Set([ROOT])).map(({ kind }) => kind)).toEqual(["INDIRECT"]);
  });

  it("The lines of each kind look different, without colours", () => {
    const looks = Object.values(LINE_LOOKS).map(({ dash, tip }) => `${dash} ${tip}`);
    const ofColumns = `${LINE_LOOKS.DIRECT.dash} ${LINE_LOOKS.DIRECT.tip}`;
    // A direct line between columns means the same as one between nodes.
    expect(looks.filter((look) => look === ofColumns)).toHaveLength(2);
    expect(new Set(looks).size).toBe(looks.length - 1);
  });
});

describe("Columns of a node", () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    column(`c${index}`, index > 30 ? [columnLink(["DIRECT"])] : []),
  );

  it("A node shows columns with lineage first, in the table's order", () => {
    const { shown, more } = chooseColumns(many);
    expect([shown.length, more]).toEqual([15, 25]);
    expect(shown.slice(-9).map(({ id }) => id)).toEqual(many.slice(31).map(({ id }) => id));
    expect(sizeOfNode(many).height).toBe(NODE_HEIGHT + 16 * 22 + 6);
  });

  it("A line meets the node itself if there is no room for its column", () => {
    expect(meetAt(many, "c20")).toBe(NODE_HEIGHT / 2);
  });
});

describe("Exported pictures", () => {
  it("An exported picture has every node and line, and no text that could be read as markup", () => {
    const hostile = new Map(graph.nodes);
    const node = hostile.get(A);
    if (node) hostile.set(A, { ...node, name: `<script>"&\u0007` });
    const drawn = drawPicture({ ...graph, nodes: hostile }, createView(ROOT));
    const { text, width, height } = writeSvg({
      title: "Lineage of <root>",
      picture: drawn,
      boxes,
      lines: listLines(drawn, graph, boxes, new Set()),
      columns: new Map(),
      colourOf: (token) => `(${token})`,
    });
    expect([width, height]).toEqual([572, 348]);
    expect(text).toContain("&lt;script&gt;&quot;&amp;�");
    expect(text).toContain("<title>Lineage of &lt;root&gt;</title>");
    expect(text).not.toMatch(/<script|style=/);
    expect(text.match(/stroke="\(--ink-faint\)"/g)).toHaveLength(2);
  });

  it("An exported picture says what it leaves out: beyond the hops, beside each node, and hidden types", () => {
    const ofHub = graphOf("a > root", { totals: { a: { up: 3_400 }, root: { down: 3 } } });
    const walked = add(ofHub, "walks", [[walkKey(ROOT, "up", 2), { ids: [A], links: [], total: MAX_ADDED + 58 }]]);
    const drawn = drawPicture(walked, showHops(toggleType(createView(ROOT), "table"), { up: 2, down: 0 }));
    const file = { title: "Lineage", boxes, lines: [], columns: new Map(), colourOf: String };
    const { text, height } = writeSvg({ ...file, picture: drawn });
    expect(text).toContain(">58 more upstream are within these hops, but not drawn: the nearest come first.<");
    expect(text).toContain(">Hidden types: table.<");
    expect(text).toContain(">+3k<");
    expect(text).toContain(">+3<");
    const all = writeSvg({ ...file, picture });
    expect(all.text).not.toMatch(/not drawn|Hidden|>\+/);
    expect(height).toBeGreaterThan(all.height);
  });

  it("An exported picture has where each asset is, so that those of one name can be told apart", () => {
    const { text } = writeSvg({ title: "", picture, boxes, lines: [], columns: new Map(), colourOf: String });
    expect(text.match(/>model · shop\.marts</g)).toHaveLength(2);
  });
});
