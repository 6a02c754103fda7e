/**
 * Made-up OpenLineage events, the same bytes for every catalog: each job has one completed run, which writes one table with
 * 12 columns from tables of the layer below. The tables are in shops of a hundred, ten in each of ten layers. One table,
 * the calendar, is also read by one job of every second shop: it is the hub.
 */
import { seeded } from "../support/random.ts";

const SEED = 28;
const LAYERS = 10;
const WIDTH = 10;
const SHOP = LAYERS * WIDTH;
const COLUMNS = 12;
const MOST_INPUTS = 3;
const BEGIN = Date.UTC(2026, 0, 1);
const PRODUCER = "https://example.com/scheduler";
const SPEC = "https://openlineage.io/spec";

export const NAMESPACE = "postgres://db.example.com:5432";
export const HUB = 0;

/** Each job writes the table of the same index. */
export interface Pipeline {
  /** The tables that it reads, by their indexes. */
  inputs: number[];
}

export interface Events {
  pipelines: Pipeline[];
  bodies: string[];
}

const facet = (name: string, values: object): object => ({
  _producer: PRODUCER,
  _schemaURL: `${SPEC}/facets/1-0-0/${name}.json`,
  ...values,
});

export function tableName(at: number): string {
  const shop = Math.floor(at / SHOP);
  const layer = Math.floor((at % SHOP) / WIDTH);
  return at === HUB ? "warehouse.common.calendar" : `warehouse.shop_${shop}.layer_${layer}_table_${at % WIDTH}`;
}

export const columnName = (at: number): string => `column_${at}`;

function makePipelines(tables: number): Pipeline[] {
  const random = seeded(SEED);
  const pick = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: tables }, (_, at) => {
    const shop = Math.floor(at / SHOP);
    const layer = Math.floor((at % SHOP) / WIDTH);
    if (layer === 0) return { inputs: [] };
    const below = shop * SHOP + (layer - 1) * WIDTH;
    const inputs = new Set(Array.from({ length: 1 + pick(MOST_INPUTS) }, () => below + pick(WIDTH)));
    if (shop % 2 === 1 && at % SHOP === WIDTH) inputs.add(HUB);
    return { inputs: [...inputs] };
  });
}

/** The inputs whose column of the same index a column is made from: every fourth column is made from two. */
export function sourcesOf({ inputs }: Pipeline, column: number): number[] {
  const amount = column % 4 === 3 ? 2 : 1;
  const chosen = Array.from(
    { length: Math.min(amount, inputs.length) },
    (_, i) => inputs[(column + i) % inputs.length],
  );
  return chosen.flatMap((input) => input ?? []);
}

const columns = Array.from({ length: COLUMNS }, (_, column) => column);

/** Inputs have their columns too: Marquez traces only columns that the run's own inputs name. */
function datasetOf(table: number, facets: object = {}): object {
  const fields = columns.map((column) => ({
    name: columnName(column),
    type: column % 2 === 0 ? "text" : "integer",
    description: `What column ${column} of ${tableName(table)} means.`,
  }));
  const schema = facet("SchemaDatasetFacet", { fields });
  return { namespace: NAMESPACE, name: tableName(table), facets: { schema, ...facets } };
}

function eventOf(pipeline: Pipeline, at: number): object {
  const lineage = columns.map((column) => {
    const type = column % 4 === 3 ? "AGGREGATION" : "IDENTITY";
    const transformations = [{ type: "DIRECT", subtype: type, description: "", masking: false }];
    const inputFields = sourcesOf(pipeline, column).map((table) => {
      return { namespace: NAMESPACE, name: tableName(table), field: columnName(column), transformations };
    });
    return [columnName(column), { inputFields }];
  });
  const columnLineage = facet("ColumnLineageDatasetFacet", { fields: Object.fromEntries(lineage) });
  return {
    eventType: "COMPLETE",
    eventTime: new Date(BEGIN + at * 1_000).toISOString(),
    producer: PRODUCER,
    schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
    run: { runId: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}` },
    job: { namespace: "nightly", name: `load_${tableName(at)}` },
    inputs: pipeline.inputs.map((table) => datasetOf(table)),
    outputs: [datasetOf(at, pipeline.inputs.length === 0 ? {} : { columnLineage })],
  };
}

export function makeEvents(tables: number): Events {
  const pipelines = makePipelines(tables);
  return { pipelines, bodies: pipelines.map((pipeline, at) => JSON.stringify(eventOf(pipeline, at))) };
}
