/** Nouns and verbs for what can be said of an asset: each list of phrases with what it means. */
import type { Phrases } from "./word-meanings.ts";

export const FEATURE_WORDS: Phrases<"Feature"> = [
  [
    "owner, owners, one owner, ownership, owner set, owner assigned, data owner, data owners, responsible person, responsible owner, responsible team, contact person, maintainer, steward, owning team, person in charge",
    "owner",
  ],
  [
    "description, descriptions, documentation, docs, doc, desc, descr, explanation, comment, description text, written description",
    "description",
  ],
  ["tag, tags, label, labels", "tags"],
  ["check, checks, test, tests", "checks"],
  [
    "failing check, failing checks, failing test, failing tests, failed checks, failed tests, failed test, failed check, broken tests, red tests",
    "failing checks",
  ],
  ["column, columns", "columns"],
  [
    "user, users, consumer, consumers, reader, readers, dependent, dependents, downstream, downstream users, downstream consumers, downstream dependents, downstream assets, downstream dependencies, direct users, children, downstream usage, usage",
    "downstream",
  ],
  [
    "input, inputs, upstream, upstreams, upstream dependencies, dependencies, upstream sources, upstream assets, parents, lineage upstream",
    "upstream",
  ],
  ["certification", "certification"],
  ["url, link, links", "url"],
];

export const ASPECT_WORDS: Phrases<"Aspect"> = [
  [
    "owner, owners, ownership, steward, data owner, data owners, owning team, person in charge, responsible owner, responsible person, responsible team, maintainer, contact, contact person, accountable",
    "owner",
  ],
  [
    "description, descriptions, documentation, docs, doc, desc, descr, explanation, comment, purpose, meaning",
    "description",
  ],
  [
    "definition, definitions, formula, formulas, equation, computation, expression, sql, sql code, sql query, sql text, source code, query, logic, calculation, sql definition, code, business definition",
    "definition",
  ],
  [
    "(column|columns|fields) (and|with) [their|data] types, column, columns, fields, schema, structure, column names, column list",
    "columns",
  ],
  ["certification, certification status, approval status, status, trust level", "certification"],
  ["certification history, certification trail, audit trail, history, trail", "trail"],
  ["freshness, last update, age", "freshness"],
  ["tag, tags, label, labels", "tags"],
  ["data type, datatype, type, types, data types, column type, column types", "data type"],
  ["materialization, materialisation, materialization type, materialization strategy", "materialization"],
  ["location, place, database schema, dataset", "place"],
  [
    "test, tests, check, checks, data tests, dbt tests, quality checks, data quality checks, quality tests, assertions, validations, kinds of checks, types of checks, kind of test, kinds of tests, kind of tests, type of test, types of tests",
    "checks",
  ],
  ["dimension, dimensions", "dimensions"],
  ["filter, filters", "filters"],
  ["grain, granularity, time grain", "grain"],
  ["lineage, dependencies and users", "sources and uses"],
];

export const TOLD_WORDS: Phrases<"Told"> = [
  [
    "defined, computed, calculated, derived, measured, worked out, determined, formed, put together, built, constructed, made, produced, generated, created, obtained, assembled, composed, made up, set, calculate, compute, derive, define, determine, build, work out",
    "definition",
  ],
  [
    "updated, last updated, refreshed, last refreshed, changed, last changed, modified, last modified, crawled, last crawled, synced, last synced, loaded, last loaded",
    "freshness",
  ],
  ["certified, approved, last certified, signed off", "certification"],
  ["materialized, materialised", "materialization"],
  ["show up, turn up, appear, appears, stored, located, found, kept, put, live, sit, reside, housed", "place"],
  ["tagged, labelled, labeled", "tags"],
  [
    "sliced by, broken down by, split by, sliced, broken down, grouped by, cut by, slice, break down, cut, split, group, filter",
    "dimensions",
  ],
  ["tested, checked", "checks"],
  ["fresh, up to date, current, stale, recent", "freshness"],
];

export const MEASURE_WORDS: Phrases<"Measure"> = [
  ["column, columns, fields", "columns"],
  [
    "[direct|immediate] (user|users|consumers|readers|children|usages|uses), direct [downstream] dependents, direct downstream [assets|users], models that read them directly, models that read them, models that use them, models that use them directly, assets that read them, assets that read them directly, things that read them",
    "downstream",
  ],
  [
    "dependent, dependents, dependants, descendants, downstream [assets|dependents|users|consumers|dependencies|reach], reach [downstream], blast radius, impact",
    "all downstream",
  ],
  [
    "upstream, upstreams, inputs, parents, (direct|immediate) (inputs|sources|upstream|upstreams|parents|dependencies)",
    "upstream",
  ],
  ["source, sources, dependencies, upstream assets, upstream dependencies, ancestors", "all upstream"],
  ["check, checks, test, tests", "checks"],
  ["tag, tags", "tags"],
  ["dimension, dimensions", "dimensions"],
];

export const GROUP_WORDS: Phrases<"Group"> = [
  [
    "owner, owners, data owner, data owners, steward, stewards, person, people, team, teams, group, department",
    "owner",
  ],
  ["type, types, kind, kinds, asset type, asset types", "type"],
  ["schema, schemas, area, areas, database schema, folder, layer, layers", "schema"],
  ["tag, tags, label, labels", "tag"],
  ["certification, certification status, status", "certification"],
  ["connector, connectors", "connector"],
  ["materialization, materialisation, materialization type, materializations", "materialization"],
];

export const CHANGE_WORDS: Phrases<"Change"> = [
  [
    "drop, drops, dropped, dropping, delete, deletes, deleted, deleting, remove, removes, removed, removing, removal of, goes away, disappears, vanishes, goes missing, lose, loses, break, breaks, breaking, kill, got rid of, get rid of, gone, is gone, missing, fails, fail, failed, fell over, falls over, is down, was down, goes down, stops working",
    "column_drop",
  ],
  ["rename, renames, renamed, renaming, renaming of", "column_rename"],
  [
    "change type of, change data type of, changing type of, changing data type of, changes type, change type, changes its type, changed type, retype, cast, type change of, type of changes, becomes text, altered, alter, alters, becomes string",
    "type_change",
  ],
  [
    "deprecate, deprecates, deprecated, deprecating, retire, retires, retired, retiring, decommission, decommissioned, sunset, turn off, switch off, shut down, archive, archived, archiving",
    "deprecate",
  ],
  [
    "change, changes, changed, changing, modify, modified, modifying, touch, touched, touching, refactor, refactoring, edit, edited, editing, alter, altering, migrate, migrating, rewrite, rework, update, updating",
    "column_drop",
  ],
];
