/** Which fields of a node changed, in words that people read. */
import type { PastNode } from "../asset.ts";
import type { ChangedField, ChangeEntryKind } from "./change.ts";

export interface FieldChange {
  kind: ChangeEntryKind;
  field: ChangedField;
  before: string | null;
  after: string | null;
}

/** Each compared field: how a node shows it. */
const FIELDS: readonly { kind: ChangeEntryKind; field: ChangedField; show: (node: PastNode) => string | null }[] = [
  { kind: "column_retyped", field: "type", show: ({ dataType }) => dataType || null },
  { kind: "sql_changed", field: "sql", show: ({ sql }) => sql },
  { kind: "sql_changed", field: "expression", show: ({ metric }) => metric?.expression ?? null },
  { kind: "description_changed", field: "description", show: ({ description }) => description || null },
  { kind: "owner_changed", field: "owner", show: showOwner },
  { kind: "tags_changed", field: "tags", show: ({ tags }) => tags.join(", ") || null },
  { kind: "certification_changed", field: "certification", show: ({ certification }) => certification },
];

export function compareFields(before: PastNode, after: PastNode): FieldChange[] {
  return FIELDS.flatMap(({ kind, field, show }) => {
    const [old, now] = [show(before), show(after)];
    return old === now ? [] : [{ kind, field, before: old, after: now }];
  });
}

/** The address, with the name if it is known. */
function showOwner({ owner, ownerName }: PastNode): string | null {
  if (owner === "" || ownerName === "") return owner || ownerName || null;
  return `${ownerName} <${owner}>`;
}
