/** One service account: what it may do, and its secrets. */
import { useState } from "react";

import { useChange } from "../../../graphql/use-change.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button, IconButton } from "../../../parts/button.tsx";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { CopyButton } from "../../../parts/copy.tsx";
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from "../../../parts/menu.tsx";
import { Time } from "../../../parts/time.tsx";
import { showToast } from "../../../parts/toast.tsx";
import styles from "./api.module.css";
import {
  REVOKE_ACCOUNT_TOKENS,
  REVOKE_SECRET,
  ROTATE_SECRET,
  type ServiceAccountRow,
  SET_ACCOUNT_DISABLED,
  SET_ACCOUNT_ROLE,
} from "./documents.ts";
import { ROLES } from "../roles.ts";
import { RemoveAccountDialog } from "./remove-account-dialog.tsx";

type Open = { what: "tokens" } | { what: "disable" } | { what: "remove" } | { what: "secret"; id: string };

/** A secret that the service does not tell again. */
export interface NewSecret {
  /** Of the account. */
  name: string;
  clientId: string;
  secret: string;
}

interface AccountCardProps {
  account: ServiceAccountRow;
  onSecret: (made: NewSecret) => void;
}

export function AccountCard({ account, onSecret }: AccountCardProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const { id, name, clientId, role, disabledAt, createdAt } = account;
  const rotation = useChange(ROTATE_SECRET);
  const setRole = useChange(SET_ACCOUNT_ROLE);
  const setDisabled = useChange(SET_ACCOUNT_DISABLED);
  const live = account.secrets.filter(({ revokedAt }) => revokedAt === null);
  const close = (): void => setOpen(null);
  const rotate = async (): Promise<void> => {
    const secret = (await rotation.change({ input: { accountId: id } }))?.rotateClientSecret?.clientSecret;
    if (secret !== undefined) onSecret({ name, clientId, secret });
  };
  const disable = async (): Promise<void> => {
    if ((await setDisabled.change({ input: { id, disabled: true } })) !== null) close();
  };
  const fault = rotation.fault ?? setRole.fault ?? (open === null ? setDisabled.fault : null);
  return (
    <section className={styles["account"]} aria-label={name}>
      <div className={styles["account-head"]}>
        <h2>{name}</h2>
        <Badge tone={role === "admin" ? "warn" : "neutral"}>{role}</Badge>
        {disabledAt !== null && <Badge tone="bad">disabled</Badge>}
        <Menu trigger={<IconButton icon="more" label={`What to do with ${name}`} />}>
          <MenuLabel>Role</MenuLabel>
          <MenuChoices
            value={role}
            choices={ROLES}
            onChoose={(chosen) => void setRole.change({ input: { id, role: chosen } })}
          />
          <MenuSeparator />
          <MenuItem icon="key" onSelect={() => setOpen({ what: "tokens" })}>
            Revoke its tokens
          </MenuItem>
          {disabledAt === null ? (
            <MenuItem icon="stop" onSelect={() => setOpen({ what: "disable" })}>
              Disable
            </MenuItem>
          ) : (
            <MenuItem icon="play" onSelect={() => void setDisabled.change({ input: { id, disabled: false } })}>
              Enable
            </MenuItem>
          )}
          <MenuItem icon="trash" onSelect={() => setOpen({ what: "remove" })}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <p className={styles["id"]}>
        Client id <code>{clientId}</code> <CopyButton text={clientId} label={`client id of ${name}`} />
        <span>
          made <Time at={createdAt} />
        </span>
      </p>
      <ul className={styles["secrets"]} aria-label={`Secrets of ${name}`}>
        {live.map((secret) => (
          <li key={secret.id}>
            <span>
              Secret made <Time at={secret.createdAt} />
            </span>
            <span className={styles["soft"]}>
              {secret.lastUsedAt === null ? (
                "never used"
              ) : (
                <>
                  last used <Time at={secret.lastUsedAt} />
                </>
              )}
            </span>
            <Button look="quiet" onClick={() => setOpen({ what: "secret", id: secret.id })}>
              Revoke
            </Button>
          </li>
        ))}
        <li>
          <Button icon="plus" isBusy={rotation.isBusy} onClick={() => void rotate()}>
            New secret
          </Button>
          <span className={styles["soft"]}>
            {live.length === 0
              ? "It has no secret, so it gets no tokens."
              : "The present one keeps working until you revoke it."}
          </span>
        </li>
      </ul>
      {fault !== null && <p role="alert">{fault}</p>}
      {open?.what === "secret" && <RevokeSecretDialog id={open.id} isLast={live.length === 1} onClose={close} />}
      {open?.what === "tokens" && <RevokeTokensDialog account={account} onClose={close} />}
      {open?.what === "remove" && <RemoveAccountDialog account={account} onClose={close} />}
      {open?.what === "disable" && (
        <ConfirmDialog
          title={`Disable ${name}?`}
          action="Disable"
          isBusy={setDisabled.isBusy}
          fault={setDisabled.fault}
          onClose={close}
          onConfirm={() => void disable()}
        >
          None of its tokens and keys works from the next request on. You can enable it again.
        </ConfirmDialog>
      )}
    </section>
  );
}

function RevokeSecretDialog({ id, isLast, onClose }: { id: string; isLast: boolean; onClose: () => void }) {
  const { change, isBusy, fault } = useChange(REVOKE_SECRET);
  const revoke = async (): Promise<void> => {
    if ((await change({ input: { id } })) !== null) onClose();
  };
  return (
    <ConfirmDialog
      title="Revoke this secret?"
      action="Revoke"
      isBusy={isBusy}
      fault={fault}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      It gets no more tokens, for good. Those that it got work until they expire, for an hour at most.
      {isLast && " It is the only secret: the account gets no tokens until it has a new one."}
    </ConfirmDialog>
  );
}

function RevokeTokensDialog({ account: { id, name }, onClose }: { account: ServiceAccountRow; onClose: () => void }) {
  const { change, isBusy, fault } = useChange(REVOKE_ACCOUNT_TOKENS, ["ApiKey"]);
  const revoke = async (): Promise<void> => {
    const answer = (await change({ input: { accountId: id } }))?.revokeServiceAccountTokens;
    if (!answer) return;
    showToast(`Revoked: ${answer.revoked.toLocaleString("en-US")} tokens and keys of ${name}.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Revoke all tokens of ${name}?`}
      action="Revoke its tokens"
      isBusy={isBusy}
      fault={fault}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      Every access token that it got, and every key that it made, is refused from the next request on. Its secrets stay,
      so that it can get new tokens.
    </ConfirmDialog>
  );
}
