/** Works out which columns a structured query reads, and how it uses each of them. */
import { type Column, type FieldUse, type Inputs, type KnownMetadata, toColumn } from "./field-uses.ts";
import type { Join, Source, Stage } from "./query.ts";
import { type ClauseReader, createClauseReader } from "./read-clauses.ts";

export interface StagesRead {
  uses: FieldUse[];
  /** Why uses may be missing; null if all are known. */
  missing: string | null;
}

/** What a stage yields. */
type Outputs = Pick<Inputs, "columns" | "isOpen">;

/** @returns how the query uses fields. A query of cards or SQL only has the uses of its own clauses. */
export function readStages(stages: readonly Stage[], metadata: KnownMetadata): StagesRead {
  const read: StagesRead = { uses: [], missing: null };
  const note = (reason: string): void => {
    read.missing ??= reason;
  };

  function readAll(all: readonly Stage[]): Outputs {
    let outputs: Outputs = { columns: [], isOpen: false };
    for (const stage of all) outputs = readStage(stage, outputs);
    return outputs;
  }

  function readStage(stage: Stage, before: Outputs): Outputs {
    const from = stage.source === null ? before : readSource(stage.source);
    const joined = new Map(stage.joins.map((join) => [join.alias, readAll(join.stages)]));
    const inputs: Inputs = {
      columns: from.columns,
      joined: new Map([...joined].map(([alias, { columns }]) => [alias, columns])),
      isOpen: from.isOpen || [...joined.values()].some(({ isOpen }) => isOpen),
    };
    const scope = createClauseReader(stage, inputs, { uses: read.uses, note }, metadata);
    for (const { conditions } of stage.joins) for (const each of conditions) scope.use(each, "JOIN");
    for (const filter of stage.filters) scope.use(filter, "FILTER");
    for (const breakout of stage.breakouts) scope.use(breakout, "GROUP_BY");
    for (const order of stage.orders) scope.use(order, "SORT");
    const groups = [...stage.breakouts, ...stage.aggregations];
    if (groups.length > 0) return { columns: scope.nameColumns(groups), isOpen: false };
    const own = stage.fields === null ? [...from.columns, ...scope.nameExpressions()] : scope.nameColumns(stage.fields);
    const others = stage.joins.flatMap((join) => listJoined(join, joined.get(join.alias), scope));
    const isOpen = (stage.fields === null && from.isOpen) || others.some(({ isOpen: open }) => open);
    return { columns: [...own, ...others.flatMap(({ columns }) => columns)], isOpen };
  }

  /** The columns that a query without a list of fields has. */
  function readSource(source: Source): Outputs {
    if (!("table" in source)) return { columns: [], isOpen: true };
    const fields = metadata.fieldsOf(source.table);
    if (fields === null) note(`the columns of table ${source.table} could not be read`);
    const listed = (fields ?? []).filter(({ isListed }) => isListed);
    return { columns: listed.map(toColumn), isOpen: fields === null };
  }

  for (const { traces } of readAll(stages).columns) {
    for (const { field, transformation, expression } of traces) {
      read.uses.push({ field, use: { kind: "DIRECT", transformation, expression } });
    }
  }
  return read;
}

function listJoined(join: Join, outputs: Outputs | undefined, scope: ClauseReader): Outputs[] {
  if (outputs === undefined) return [];
  const prefix = (columns: readonly Column[]): Column[] =>
    columns.map((column) => ({
      ...column,
      names: [...column.names, ...column.names.map((name) => `${join.alias}__${name}`)],
    }));
  if (join.fields === null) return [{ ...outputs, columns: prefix(outputs.columns) }];
  return [{ columns: prefix(scope.nameColumns(join.fields)), isOpen: false }];
}
