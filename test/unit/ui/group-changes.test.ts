import { expect, it } from "vitest";

import type { Change } from "../../../src/ui/pages/changes/documents.ts";
import { groupChanges } from "../../../src/ui/pages/changes/group-changes.ts";

function change(id: string, at: string, by: Partial<Change>): Change {
  const asset = { id, name: id, fqn: id, type: "model", node: null } as const;
  const rest = {
    other: null,
    field: null,
    before: null,
    after: null,
    check: null,
    risk: null,
    cause: null,
    details: [],
  };
  return {
    id,
    at: `2026-05-01T${at}.000Z`,
    kind: "sql_changed",
    asset,
    actor: null,
    by: null,
    sync: null,
    ...rest,
    ...by,
  };
}

function sync(connector: string) {
  return { sync: { id: `sync of ${connector}`, connectorId: connector, connector } };
}

function told(changes: Change[]) {
  return groupChanges(changes).flatMap(({ groups }) =>
    groups.map((group) => [group.changes, group.effects].map((all) => all.map(({ id }) => id))),
  );
}

it("a certification that a sync let lapse comes after the changes of that sync, and not after those of another one", () => {
  const lapsed = { kind: "certification_changed", actor: "connector shop", cause: "Its SQL changed." } as const;
  const lapses = [change("revenue", "10:00:05", lapsed), change("margin", "10:00:05", lapsed)];
  expect(
    told([...lapses, change("orders", "10:00:00", sync("shop")), change("refunds", "10:00:00", sync("shop"))]),
  ).toEqual([
    [
      ["orders", "refunds"],
      ["revenue", "margin"],
    ],
  ]);
  expect(told([...lapses, change("orders", "10:00:00", sync("crm"))])).toEqual([
    [["revenue", "margin"], []],
    [["orders"], []],
  ]);
  expect(told([...lapses, change("orders", "09:00:00", sync("shop"))])).toHaveLength(2);
});
