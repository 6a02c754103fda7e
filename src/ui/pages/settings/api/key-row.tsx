import { PersonName } from "../../../assets/person-name.tsx";
import { useState } from "react";

import { Badge } from "../../../parts/badge.tsx";
import { IconButton } from "../../../parts/button.tsx";
import { ChangeDialog, ConfirmChange } from "../../../parts/change-form.tsx";
import { TextField } from "../../../parts/field.tsx";
import { Menu, MenuItem } from "../../../parts/menu.tsx";
import { Row } from "../../../parts/table.tsx";
import { Time, useNowMs } from "../../../parts/time.tsx";
import { type ApiKeyRow, RENAME_KEY, REVOKE_KEY } from "./documents.ts";

/** @param nowMs the present time */
export function stateOf(
  { revokedAt, expiresAt }: Pick<ApiKeyRow, "revokedAt" | "expiresAt">,
  nowMs: number,
): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? "expired" : "active";
}

export const KEY_COLUMNS = [
  { label: "Name", isName: true },
  { label: "Begins" },
  { label: "Scopes" },
  { label: "Made by" },
  { label: "Last used", className: "soft nowrap" },
  { label: "Expires", className: "soft nowrap" },
  { label: "", className: "end" },
];

export function KeyRow({ apiKey }: { apiKey: ApiKeyRow }) {
  const [open, setOpen] = useState<"rename" | "revoke" | null>(null);
  const { id, name, prefix, scopes, networks, createdBy, lastUsedAt, expiresAt } = apiKey;
  const state = stateOf(apiKey, useNowMs());
  const close = (): void => setOpen(null);
  return (
    <Row columns={KEY_COLUMNS}>
      <>
        {name}
        {networks.length > 0 && <small className="wrap">only from {networks.join(", ")}</small>}
      </>
      <code>{prefix}…</code>
      <span className="cluster tight">
        {scopes.map((scope) => (
          <Badge key={scope} label={scope} tone={scope === "admin" ? "warn" : "neutral"} />
        ))}
      </span>
      <PersonName
        of={createdBy && (createdBy.person ?? { address: null, name: createdBy.name })}
        none="somebody who is gone"
      />
      <Time at={lastUsedAt} />
      {state === "active" ? <Time at={expiresAt} /> : <Badge label={state} tone="bad" />}
      <>
        {state === "active" && (
          <Menu trigger={<IconButton icon="more" label={`What to do with ${name}`} />}>
            <MenuItem icon="edit" label="Rename" onSelect={() => setOpen("rename")} />
            <MenuItem icon="trash" label="Revoke" onSelect={() => setOpen("revoke")} />
          </Menu>
        )}
        {open === "revoke" && (
          <ConfirmChange
            title={`Revoke ${name}?`}
            action="Revoke"
            change={REVOKE_KEY}
            variables={{ input: { id } }}
            onDone={() => `${name} is revoked.`}
            onClose={close}
          >
            Whatever uses it is refused from the next request on. This cannot be undone. It was{" "}
            {lastUsedAt !== null && "last used "}
            <Time at={lastUsedAt} none="never used" />.
          </ConfirmChange>
        )}
        {open === "rename" && (
          <ChangeDialog
            title="Rename the key"
            action="Rename"
            change={RENAME_KEY}
            variables={(form) => ({ input: { id, name: String(form.get("name")) } })}
            onClose={close}
          >
            <TextField label="Name" name="name" defaultValue={name} autoFocus required maxLength={100} />
          </ChangeDialog>
        )}
      </>
    </Row>
  );
}
