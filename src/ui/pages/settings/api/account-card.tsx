/** One service account: what it may do, and its secrets. */
import { useState } from "react";

import { useChange } from "../../../graphql/requests.ts";
import { Badge } from "../../../parts/marks.tsx";
import { Button, IconButton } from "../../../parts/button.tsx";
import { ChangeDialog, ConfirmButton, ConfirmChange } from "../../../parts/change-form.tsx";
import { CopyButton } from "../../../parts/copy.tsx";
import { formatCount } from "../../../parts/count.ts";
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from "../../../parts/menu.tsx";
import { Time, useNowMs } from "../../../parts/time.tsx";
import { mutation } from "../../../graphql/graphql.ts";
import type { ServiceAccountRow } from "./documents.ts";
import { ROLES } from "../roles.ts";
import { stateOf } from "./keys-tab.tsx";
import { ExpiryField, readExpiry } from "./new-key-dialog.tsx";

const ROTATE_SECRET = mutation("rotateClientSecret", "clientSecret secret { id }");
const REVOKE_SECRET = mutation("revokeClientSecret", "secret { id revokedAt }");
const REMOVE_ACCOUNT = mutation("removeServiceAccount", "id");
const REVOKE_TOKENS = mutation("revokeServiceAccountTokens", "revoked");
const SET_DISABLED = mutation("setServiceAccountDisabled", "serviceAccount { id disabledAt }");
const SET_ROLE = mutation("setServiceAccountRole", "serviceAccount { id role }");

/** A secret of a service account, which is shown once. */
export interface NewSecret {
  title: string;
  clientId: string;
  secret: string;
}

export function AccountCard(props: { account: ServiceAccountRow; onSecret: (made: NewSecret) => void }) {
  const { account, onSecret } = props;
  const [open, setOpen] = useState<"tokens" | "rotate" | "disable" | "remove" | null>(null);
  const { id, name, clientId, role, disabledAt, createdAt } = account;
  const setRole = useChange(SET_ROLE);
  const setDisabled = useChange(SET_DISABLED);
  const nowMs = useNowMs();
  const live = account.secrets.filter((secret) => stateOf(secret, nowMs) === "active");
  const close = (): void => setOpen(null);
  const fault = setRole.fault ?? setDisabled.fault;
  return (
    <section className="card padded stack" aria-label={name}>
      <div className="cluster">
        <h2>{name}</h2>
        <Badge label={role} tone={role === "admin" ? "warn" : "neutral"} />
        {disabledAt !== null && <Badge label="disabled" tone="bad" />}
        <Menu trigger={<IconButton className="push" icon="more" label={`What to do with ${name}`} />}>
          <MenuLabel>Role</MenuLabel>
          <MenuChoices
            value={role}
            choices={ROLES}
            onChoose={(chosen) => void setRole.change({ input: { id, role: chosen } })}
          />
          <MenuSeparator />
          <MenuItem icon="key" label="Revoke its tokens" onSelect={() => setOpen("tokens")} />
          {disabledAt === null ? (
            <MenuItem icon="stop" label="Disable" onSelect={() => setOpen("disable")} />
          ) : (
            <MenuItem
              icon="play"
              label="Enable"
              onSelect={() => void setDisabled.change({ input: { id, disabled: false } })}
            />
          )}
          <MenuItem icon="trash" label="Delete" onSelect={() => setOpen("remove")} />
        </Menu>
      </div>
      <p className="cluster soft">
        Client id <code>{clientId}</code> <CopyButton text={clientId} label={`client id of ${name}`} />
        <span>
          made <Time at={createdAt} />
        </span>
      </p>
      <ul className="lines" aria-label={`Secrets of ${name}`}>
        {live.map((secret) => (
          <li key={secret.id} className="line cluster">
            <span>
              Secret made <Time at={secret.createdAt} />
            </span>
            <span className="soft grow">
              last used <Time at={secret.lastUsedAt} />
              {secret.expiresAt !== null && (
                <>
                  , expires <Time at={secret.expiresAt} />
                </>
              )}
            </span>
            <ConfirmButton
              label="Revoke"
              look="quiet"
              title="Revoke this secret?"
              action="Revoke"
              change={REVOKE_SECRET}
              variables={{ input: { id: secret.id } }}
            >
              It gets no more tokens, for good. Those that it got work until they expire, for an hour at most.
              {live.length === 1 && " It is the only secret: the account gets no tokens until it has a new one."}
            </ConfirmButton>
          </li>
        ))}
        <li className="line cluster">
          <Button icon="plus" label="New secret" onClick={() => setOpen("rotate")} />
          <span className="soft">
            {live.length === 0
              ? "It has no secret, so it gets no tokens."
              : "The present one keeps working until you revoke it."}
          </span>
        </li>
      </ul>
      {fault !== null && <p role="alert">{fault}</p>}
      {open === "rotate" && (
        <ChangeDialog
          title={`A new secret for ${name}`}
          action="Make the secret"
          change={ROTATE_SECRET}
          variables={(form) => ({ input: { accountId: id, expiresInDays: readExpiry(form) } })}
          types={["ServiceAccount"]}
          onDone={({ rotateClientSecret: made }) => {
            if (made) onSecret({ title: `A new secret for ${name}`, clientId, secret: made.clientSecret });
          }}
          onClose={close}
        >
          <ExpiryField />
        </ChangeDialog>
      )}
      {open === "tokens" && (
        <ConfirmChange
          title={`Revoke all tokens of ${name}?`}
          action="Revoke its tokens"
          change={REVOKE_TOKENS}
          variables={{ input: { accountId: id } }}
          types={["ApiKey"]}
          onDone={({ revokeServiceAccountTokens: answer }) =>
            `Revoked: ${formatCount(answer?.revoked ?? 0)} tokens and keys of ${name}.`
          }
          onClose={close}
        >
          Every access token that it got, and every key that it made, is refused from the next request on. Its secrets
          stay, so that it can get new tokens.
        </ConfirmChange>
      )}
      {open === "remove" && (
        <ConfirmChange
          title={`Delete ${name}?`}
          action="Delete it"
          typed={name}
          change={REMOVE_ACCOUNT}
          variables={{ input: { id } }}
          types={["ServiceAccount", "ApiKey"]}
          onDone={() => `${name} is deleted.`}
          onClose={close}
        >
          Its secrets are deleted, and none of its tokens and keys works from the next request on. This cannot be
          undone: a new account has another client id. What it did stays in the audit trail.
        </ConfirmChange>
      )}
      {open === "disable" && (
        <ConfirmChange
          title={`Disable ${name}?`}
          action="Disable"
          change={SET_DISABLED}
          variables={{ input: { id, disabled: true } }}
          onClose={close}
        >
          None of its tokens and keys works from the next request on. You can enable it again.
        </ConfirmChange>
      )}
    </section>
  );
}
