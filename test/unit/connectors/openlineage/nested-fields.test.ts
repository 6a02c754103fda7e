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
} from "../../../support/lineage-events.ts";

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
});
