import { describe, expect, it } from "vitest";

import { resolveColumns } from "../../../src/sql-lineage/resolve-columns.ts";
import { readCorpus, toComparable } from "../../support/sql-corpus.ts";

const corpus = Map.groupBy(readCorpus(), ({ dialect }) => dialect);

describe.each([...corpus])("Columns in %s", (_dialect, cases) => {
  it.each(cases)("$title", ({ request, expected }) => {
    expect(toComparable(resolveColumns(request), request, expected)).toEqual(expected);
  });
});
