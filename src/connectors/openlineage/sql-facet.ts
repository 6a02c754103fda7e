/**
 * The lineage of what a job writes, by its SQL. A sender that parses SQL may tell only the columns of the select list. The SQL
 * tells the rest, if it is read in full and nothing in it contradicts the event.
 */
import { fold } from "../../catalog/text.ts";
import type { LineageAnswer, NamedColumn, Relation, RelationPath } from "../../sql-lineage/request.ts";
import type { AskSql } from "../connector.ts";
import { tellsOnlyValues } from "./flow-events.ts";
import type { KeptInput, KeptLineage } from "./kept.ts";
import { nameKey } from "./naming.ts";
import type { RunDataset, TimedContent } from "./run-datasets.ts";

type Answer = Exclude<LineageAnswer, { unresolved: string }>;

/**
 * The datasets of a run. If it fills one, this one has the lineage by the SQL, where that is sound.
 * @param events those of the run. They must all have the same SQL, or none.
 */
export function withSqlLineage(datasets: RunDataset[], events: readonly TimedContent[], ask: AskSql): RunDataset[] {
  const [sql = "", ...more] = new Set(events.map(({ content }) => content.facts.sql?.value ?? "").filter(Boolean));
  const [output, ...others] = datasets.filter(({ isFilled }) => isFilled);
  const told = output?.facts.lineage ?? output?.facts.columnLineage;
  if (output === undefined || others.length > 0 || !told?.value || !tellsOnlyValues(told.value)) return datasets;
  const sources = datasets.filter(({ isRead }) => isRead);
  const { platform, instance } = output.ref;
  if (sql === "" || more.length > 0) return datasets;
  if (sources.some(({ ref }) => ref.platform !== platform || ref.instance !== instance)) return datasets;
  const answer = ask({ sql, dialect: platform, relations: sources.map(toRelation) });
  if (answer === null || "unresolved" in answer || !isWhole(answer, sources, output)) return datasets;
  const value = toLineage(answer, sources, output);
  const keys = new Set([...value.fields.flatMap(([, of]) => of), ...(value.named ?? [])].map(keyOf));
  // The SQL that is shown need not be what ran.
  if (!told.value.fields.every(([, of]) => of.every((input) => keys.has(keyOf(input))))) return datasets;
  const facts = { ...output.facts, lineage: { at: told.at, value } };
  return datasets.map((each) => (each === output ? { ...each, facts } : each));
}

/** The schema lists all columns that the dataset had when the job ran. */
function toRelation({ ref, facts }: RunDataset): Relation {
  const [name = "", schema = "", database = ""] = ref.parts.toReversed();
  const columns = (facts.columns?.value ?? []).map((column) => column.name);
  return { database, schema, name, columns, completeness: columns.length > 0 ? "all" : "some", inlinedAs: "" };
}

/**
 * Whether one statement of a known dialect reads all that the job reads, fills the output or nothing, and yields the columns of
 * the output in their order. Then a list of columns behind `insert into` makes no difference. The last columns may have their
 * defaults.
 */
function isWhole(answer: Answer, sources: readonly RunDataset[], output: RunDataset): boolean {
  const { columns, incomplete, notes, unfound, unresolvedUse, writes } = answer;
  const listed = output.facts.columns?.value ?? [];
  return (
    [incomplete, unresolvedUse, ...columns.map(({ unresolved }) => unresolved)].every((reason) => reason === null) &&
    notes.length + unfound.length === 0 &&
    new Set(answer.reads).size === sources.length &&
    columns.length <= listed.length &&
    columns.every(({ name }, i) => fold(name) === fold(listed[i]?.name ?? "")) &&
    (writes === undefined || means(writes, toRelation(output)))
  );
}

/** Whether the path that a statement writes means the relation. */
function means(written: RelationPath, { database, schema, name }: Relation): boolean {
  return fold(written.name) === fold(name) && agrees(written.schema, schema) && agrees(written.database, database);
}

/** Either may leave out the schema and the database. */
function agrees(written: string, known: string): boolean {
  return written === "" || known === "" || fold(written) === fold(known);
}

function toLineage({ columns, named }: Answer, sources: readonly RunDataset[], { facts }: RunDataset): KeptLineage {
  const toInput = ({ relation, column }: NamedColumn, uses: KeptInput["uses"]): KeptInput[] => {
    const source = sources[relation];
    return source === undefined ? [] : [{ ...source.name, field: column, uses }];
  };
  return {
    inputs: [],
    fields: (facts.columns?.value ?? []).map(({ name }, i) => {
      // What decides the rows is a parent of every column, and all that a default depends on.
      const parents = columns[i]?.parents ?? columns[0]?.parents.filter(({ kind }) => kind === "INDIRECT") ?? [];
      const inputs = parents.flatMap(({ kind, transformation, expression, ...parent }) =>
        toInput(parent, [{ kind, transformation, expression }]),
      );
      return [name, inputs];
    }),
    named: named.flatMap((each) =>
      toInput(each, [{ kind: "INDIRECT", transformation: "CONDITIONAL", expression: "" }]),
    ),
  };
}

function keyOf(input: KeptInput): string {
  return `${nameKey(input)}\n${fold(input.field ?? "")}`;
}
