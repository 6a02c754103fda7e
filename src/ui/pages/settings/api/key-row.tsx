import { useState } from "react";

import { useChange } from "../../../graphql/use-change.ts";
import { Badge } from "../../../parts/badge.tsx";
import { IconButton } from "../../../parts/button.tsx";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { TextField } from "../../../parts/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Menu, MenuItem } from "../../../parts/menu.tsx";
import { Time, useNowMs } from "../../../parts/time.tsx";
import { showToast } from "../../../parts/toast.tsx";
import styles from "./api.module.css";
import { type ApiKeyRow, RENAME_KEY, REVOKE_KEY } from "./documents.ts";

export function stateOf({ revokedAt, expiresAt }: ApiKeyRow, nowMs: number): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? "expired" : "active";
}

export function KeyRow({ apiKey }: { apiKey: ApiKeyRow }) {
  const [open, setOpen] = useState<"rename" | "revoke" | null>(null);
  const { name, prefix, scopes, createdBy, lastUsedAt, expiresAt } = apiKey;
  const state = stateOf(apiKey, useNowMs());
  const close = (): void => setOpen(null);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <code>{prefix}…</code>
      </td>
      <td>
        <span className={styles["badges"]}>
          {scopes.map((scope) => (
            <Badge key={scope} tone={scope === "admin" ? "warn" : "neutral"}>
              {scope}
            </Badge>
          ))}
        </span>
      </td>
      <td>{createdBy?.name ?? <span className={styles["soft"]}>somebody who is gone</span>}</td>
      <td className={styles["when"]}>{lastUsedAt === null ? "never" : <Time at={lastUsedAt} />}</td>
      <td className={styles["when"]}>
        {state === "active" ? (
          expiresAt === null ? (
            "never"
          ) : (
            <Time at={expiresAt} />
          )
        ) : (
          <Badge tone="bad">{state}</Badge>
        )}
      </td>
      <td className={styles["do"]}>
        {state === "active" && (
          <Menu trigger={<IconButton icon="more" label={`What to do with ${name}`} />}>
            <MenuItem icon="edit" onSelect={() => setOpen("rename")}>
              Rename
            </MenuItem>
            <MenuItem icon="trash" onSelect={() => setOpen("revoke")}>
              Revoke
            </MenuItem>
          </Menu>
        )}
        {open === "revoke" && <RevokeDialog apiKey={apiKey} onClose={close} />}
        {open === "rename" && <RenameDialog apiKey={apiKey} onClose={close} />}
      </td>
    </tr>
  );
}

interface KeyDialogProps {
  apiKey: ApiKeyRow;
  onClose: () => void;
}

function RevokeDialog({ apiKey: { id, name, lastUsedAt }, onClose }: KeyDialogProps) {
  const { change, isBusy, fault } = useChange(REVOKE_KEY);
  const revoke = async (): Promise<void> => {
    if ((await change({ input: { id } })) === null) return;
    showToast(`${name} is revoked.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      action="Revoke"
      isBusy={isBusy}
      fault={fault}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      Whatever uses it is refused from the next request on. This cannot be undone.{" "}
      {lastUsedAt === null ? (
        "It was never used."
      ) : (
        <>
          It was last used <Time at={lastUsedAt} />.
        </>
      )}
    </ConfirmDialog>
  );
}

function RenameDialog({ apiKey: { id, name }, onClose }: KeyDialogProps) {
  const { change, isBusy, fault, faults } = useChange(RENAME_KEY);
  const rename = async (form: FormData): Promise<void> => {
    if ((await change({ input: { id, name: String(form.get("name")) } })) !== null) onClose();
  };
  return (
    <FormDialog
      title="Rename the key"
      action="Rename"
      isBusy={isBusy}
      fault={faults["name"] === undefined ? fault : null}
      onSubmit={(form) => void rename(form)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        defaultValue={name}
        error={faults["name"]}
        autoFocus
        required
        maxLength={100}
      />
    </FormDialog>
  );
}
