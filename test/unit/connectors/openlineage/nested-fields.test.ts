import { setImmediate } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import {
  createInbox,
  edgesOf,
  type Event,
  type EventDataset,
  facet,
  inputField,
  pg,
  runEvent,
  schemaFacet,
  timeOf,
} from "../../../support/lineage-events.ts";
import { openLineageConnector } from "../../../../src/connectors/openlineage/connector.ts";
import { createSlicer, runAtOnce } from "../../../../src/work/slicer.ts";
import { leastOf, longestSlice, MOST_MS } from "../../../support/longest-slice.ts";

function runInbox(event: Event) {
  const inbox = createInbox();
  inbox.send(event);
  return inbox;
}

const statedBy = (event: Event) =>
  runInbox(event)
    .events()
    .flatMap((each) => (each.kind === "asset" ? [each.asset] : []));

const structFacet = (...fields: string[]) => ({
  schema: facet({
    fields: [{ name: "dims", type: "struct", fields: fields.map((name) => ({ name })) }, { name: "id" }],
  }),
});

const from = (field: string, use: Record<string, unknown>) => ({ inputFields: [inputField("raw", field, use)] });
const VALUE = { type: "DIRECT", subtype: "TRANSFORMATION" };
const COPY = { type: "DIRECT", subtype: "IDENTITY" };

const named = (length: number, rest = "") => Array.from({ length }, (_, i) => `f${i}${rest}`);
const telling = (fields: Record<string, unknown>, dataset: unknown[] = []) => ({
  columnLineage: facet({ fields, dataset }),
});

describe("Fields of structs", () => {
  const items = pg("raw", structFacet("w", "h"));
  const structEdges = (output: EventDataset, inputs = [items]) =>
    edgesOf(runInbox(runEvent({ inputs, outputs: [output] })))
      .filter((line) => /\.\w+ derives /.test(line) && line.includes("raw."))
      .map((line) => line.replaceAll("shop.public.", ""));

  test("What uses a struct uses its fields, and what uses a field uses its struct", () => {
    const fields = { width: from("dims", VALUE), height: from("dims.h", VALUE) };
    const out = pg("out", { ...schemaFacet("width", "height"), columnLineage: facet({ fields }) });
    expect(structEdges(out)).toEqual([
      "raw.dims derives out.height DIRECT TRANSFORMATION []",
      "raw.dims derives out.width DIRECT TRANSFORMATION []",
      "raw.dims.h derives out.height DIRECT TRANSFORMATION []",
      "raw.dims.h derives out.width DIRECT TRANSFORMATION []",
      "raw.dims.w derives out.width DIRECT TRANSFORMATION []",
    ]);
    const reads = edgesOf(runInbox(runEvent({ inputs: [items], outputs: [out] })));
    expect(reads.filter((line) => line.includes("dims.w reads"))).toHaveLength(1);
  });

  test("A field of a struct that is told comes from the same field if the struct is a copy, else from all that the struct does", () => {
    const copy = facet({ fields: { dims: from("dims", COPY), id: from("id", COPY) } });
    const out = pg("out", { ...structFacet("w"), columnLineage: copy });
    const copied = [
      "raw.dims derives out.dims DIRECT IDENTITY []",
      "raw.dims derives out.dims.w DIRECT IDENTITY []",
      "raw.dims.h derives out.dims DIRECT IDENTITY []",
      "raw.dims.w derives out.dims DIRECT IDENTITY []",
      "raw.dims.w derives out.dims.w DIRECT IDENTITY []",
      "raw.id derives out.id DIRECT IDENTITY []",
    ];
    expect(structEdges(out)).toEqual(copied);
    // A copy has the fields of its source, even if the event does not list them.
    expect(structEdges(out, [pg("raw")])).toEqual(
      copied.filter((line) => !line.includes("dims.h") && !line.includes("dims.w derives out.dims ")),
    );
    const stated = statedBy(runEvent({ inputs: [items], outputs: [out] }));
    expect(stated.find(({ name }) => name === "out")?.columnsTraced).toEqual(["dims", "dims.w", "id"]);
    expect(stated.find(({ name }) => name === "load")?.columnsRead?.status).toBe("known");
    const made = facet({ fields: { dims: from("id", VALUE), id: from("id", COPY) } });
    expect(structEdges(pg("out", { ...structFacet("w"), columnLineage: made }))).toContain(
      "raw.id derives out.dims.w DIRECT TRANSFORMATION []",
    );
  });

  test("A dot in the name of a column makes it no field of a struct", () => {
    const fields = { a: from("dims.w", VALUE) };
    const out = pg("out", { ...schemaFacet("a"), columnLineage: facet({ fields }) });
    expect(structEdges(out, [pg("raw", schemaFacet("dims.w", "id"))])).toEqual([
      "raw.dims.w derives out.a DIRECT TRANSFORMATION []",
    ]);
  });

  test("If structs have too many fields, their lineage is not all of it", () => {
    const names = Array.from({ length: 300 }, (_, i) => `f${i}`);
    const columns = Array.from({ length: 100 }, (_, i) => `c${i}`);
    const fields = Object.fromEntries(columns.map((name) => [name, from("dims", VALUE)]));
    const out = pg("out", { ...schemaFacet(...columns), columnLineage: facet({ fields }) });
    const inputs = [pg("raw", structFacet(...names))];
    expect(structEdges(out, inputs)).toHaveLength(100);
    const stated = statedBy(runEvent({ inputs, outputs: [out] })).map(({ untraced }) => untraced);
    expect(stated).toContain("it uses structs with too many fields");
  });

  test("What else is done with a struct than to copy it may use all of its fields", () => {
    const filter = { type: "INDIRECT", subtype: "FILTER" };
    const fields = { dims: { inputFields: [inputField("raw", "dims", COPY, filter)] }, id: from("id", COPY) };
    const out = pg("out", { ...structFacet("w"), columnLineage: facet({ fields }) });
    const edges = structEdges(out);
    expect(edges).toContain("raw.dims.w derives out.dims.w DIRECT IDENTITY [] INDIRECT FILTER []");
    expect(edges).toContain("raw.dims.h derives out.dims.w INDIRECT FILTER []");
  });

  const many: [what: string, event: Event][] = [
    [
      "fields of a struct that comes from many columns",
      runEvent({
        inputs: [pg("raw", schemaFacet(...named(2_000)))],
        outputs: [
          pg("out", {
            ...structFacet(...named(1_000)),
            ...telling({ dims: { inputFields: named(2_000).map((field) => inputField("raw", field, VALUE)) } }),
          }),
        ],
      }),
    ],
    [
      "structs that affect an output without a schema",
      runEvent({
        inputs: [pg("raw", structFacet(...named(1_000)))],
        outputs: [
          pg(
            "out",
            telling(
              { a: from("id", VALUE) },
              named(5_000).map(() => inputField("raw", "dims", VALUE)),
            ),
          ),
        ],
      }),
    ],
    [
      "outputs of a wide input",
      runEvent({
        inputs: [pg("raw", structFacet(...named(2_000)))],
        outputs: named(500).map((name) => pg(name, { ...schemaFacet("a"), ...telling({ a: from("id", VALUE) }) })),
      }),
    ],
    [
      "dots in names",
      runEvent({
        inputs: [pg("raw", schemaFacet(...named(1_000, ".x".repeat(490))))],
        outputs: [pg("out", { ...schemaFacet("a"), ...telling({ a: from("id", VALUE) }) })],
      }),
    ],
  ];

  test.each(many)("Many %s keep others waiting for less than 50 ms", async (_, event) => {
    const { receive, options } = openLineageConnector;
    const { subject, key, body } = runAtOnce(receive.read(event, new Date(timeOf(10))));
    const ms = await leastOf(async () => {
      const slicer = createSlicer(
        { next: () => setImmediate() },
        { tenant: "test", signal: new AbortController().signal },
      );
      const pieces = receive.stateSubject(subject, [{ key, body }], options.parse({}), new Date(timeOf(0)), () => null);
      return (await longestSlice(() => slicer.run(pieces))).ms;
    });
    expect(ms).toBeLessThan(MOST_MS);
  });
});
