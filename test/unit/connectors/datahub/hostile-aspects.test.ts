/** Values that a client may send, of which a few words could keep a sync busy for minutes or end it. */
import { expect, test } from "vitest";

import { columnName } from "../../../../src/connectors/datahub/columns.ts";
import type { Entity } from "../../../../src/connectors/datahub/entity.ts";
import { createDataHubNaming } from "../../../../src/connectors/datahub/naming.ts";
import { applyingPatch } from "../../../../src/connectors/datahub/patch.ts";
import { namingOptionsShape } from "../../../../src/connectors/datahub/options.ts";
import { AspectTable } from "../../../../src/connectors/datahub/rows.ts";
import { crawlAspects } from "../../../../src/connectors/datahub/state.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";

const urnOf = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,sales.${name},PROD)`;
const fieldOf = (name: string, column: number) => `urn:li:schemaField:(${urnOf(name)},c${column})`;

const say = (name: string, aspectName: string, json: unknown) => ({
  entityType: "dataset",
  entityUrn: urnOf(name),
  changeType: "UPSERT",
  aspectName,
  aspect: { json },
});

const listOf = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));

/** Tables of a chain, the last by name first. */
const linked = (at: number) => urnOf(`t${String(20_000 - at).padStart(5, "0")}`);
const fieldsOf = (name: string) => listOf(1_000, (at) => fieldOf(name, at));
const operations = (op: "add" | "remove") =>
  listOf(20_000, (at) => ({ op, path: `/tags/urn:li:tag:${at}`, value: { tag: `urn:li:tag:${at}` } }));

async function sync(messages: readonly unknown[]) {
  const table = new AspectTable();
  for (const message of messages) runAtOnce(table.add(message));
  return Array.fromAsync(crawlAspects(table, namingOptionsShape.parse({}), { now: new Date(0) }));
}

test("Siblings that form a chain of 20,000 tables are one table", () => {
  const entities = listOf(20_000, (at): Entity => {
    return {
      urn: linked(at),
      type: "dataset",
      aspects: { siblings: { siblings: [linked(at + 1)] } },
      series: {},
      left: [],
    };
  });
  const pieces = createDataHubNaming(entities, namingOptionsShape.parse({}));
  let step = pieces.next();
  while (step.done !== true) step = pieces.next();
  const { refOf } = step.value;
  expect(refOf(linked(0))).toEqual(refOf(linked(20_000)));
});

test("A lineage of each of 1,000 columns to each of 1,000 is kept as one of tables, with a warning", async () => {
  const fineGrainedLineages = [{ upstreams: fieldsOf("a"), downstreams: fieldsOf("b") }];
  const events = await sync([say("b", "upstreamLineage", { upstreams: [], fineGrainedLineages })]);
  expect(events.filter(({ kind }) => kind === "edge")).toHaveLength(1);
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "error", error: expect.objectContaining({ code: "too_many_columns" }) }),
  );
});

test("A name of 20,000 jobs in each other does not end the sync", async () => {
  const dataset = "urn:li:dataJob:(".repeat(20_000) + ")".repeat(20_000);
  const events = await sync([say("a", "upstreamLineage", { upstreams: [{ type: "COPY", dataset }] })]);
  expect(events.filter(({ kind }) => kind === "asset")).toHaveLength(1);
});

test("A path of 200,000 dots is split in one pass, and dots within brackets do not split", () => {
  const dots = ".".repeat(200_000);
  expect(columnName(`[${dots}`)).toBe(`[${dots}`);
  expect(columnName("[version=2.0].[type=struct].address.[type=string].city")).toBe("address.city");
});

test("A patch of 20,000 operations adds and removes each entry by its name", () => {
  const added = runAtOnce(
    applyingPatch({ tags: [{ tag: "urn:li:tag:mine" }, { tag: "urn:li:tag:7" }] }, operations("add")),
  );
  expect(added["tags"]).toHaveLength(20_001);
  expect(runAtOnce(applyingPatch(added, operations("remove")))).toEqual({ tags: [{ tag: "urn:li:tag:mine" }] });
});
