/** The API keys. */
import { useState } from "react";
import { useQuery } from "urql";

import { useChange } from "../../../graphql/requests.ts";
import { Button, IconButton } from "../../../parts/button.tsx";
import { Fault, CheckField, TextField } from "../../../parts/form.tsx";
import { Listing, Loaded } from "../../../parts/listing.tsx";
import { NoPermission, Panel } from "../../../parts/page.tsx";
import { useNowMs, Time } from "../../../parts/time.tsx";
import { API_KEYS, type ApiKeyRow, ASKER, REVOKE_KEY, RENAME_KEY } from "./documents.ts";
import { type MadeKey, MadeKeyDialog, NewKeyDialog } from "./new-key-dialog.tsx";
import { PersonName } from "../../../assets/names.tsx";
import { Badge } from "../../../parts/marks.tsx";
import { ChangeDialog, ConfirmChange } from "../../../parts/change-form.tsx";
import { Menu, MenuItem } from "../../../parts/menu.tsx";
import { Row } from "../../../parts/table.tsx";

export function KeysTab() {
  const [isMaking, setMaking] = useState(false);
  // Here and not in the list: if that cannot be loaded again, the key must stay, since it is shown once.
  const [made, setMade] = useState<MadeKey>(null);
  const asked = useQuery({ query: ASKER });
  return (
    <>
      <Loaded what="the keys" asked={asked}>
        {({ mayManageKeys }) =>
          mayManageKeys ? (
            <Keys onNew={() => setMaking(true)} />
          ) : (
            <NoPermission
              needs={
                <>
                  Keys are made by admins, and by people to whom an admin granted <code>api:manage</code>. What you may
                  read in the workspace, you may read here without a key.
                </>
              }
            />
          )
        }
      </Loaded>
      {isMaking && (
        <NewKeyDialog scopes={asked[0].data?.viewer?.scopes ?? []} onMade={setMade} onClose={() => setMaking(false)} />
      )}
      {made !== null && <MadeKeyDialog made={made} onClose={() => setMade(null)} />}
    </>
  );
}

/** The name of the key that the first start makes. */
const FIRST_KEY = "first start";

/** Says that the key of the first start should go. */
function FirstKey({ apiKey: { id, scopes } }: { apiKey: ApiKeyRow }) {
  const { change, isBusy, fault } = useChange(REVOKE_KEY, { onDone: () => "The key of the first start is revoked." });
  return (
    <section className="card padded cluster roomy" aria-label="The key of the first start">
      <p className="grow">
        <strong>The key of the first start should go.</strong> It may {scopes.join(", ")}, never expires, and was
        printed to a terminal. Make a key for each program that needs one, then revoke it. What uses it is refused from
        the next request on.
      </p>
      <Button
        look="danger"
        icon="trash"
        label="Revoke it"
        isBusy={isBusy}
        onClick={() => void change({ input: { id } })}
      />
      <Fault text={fault} />
    </section>
  );
}

function Keys({ onNew }: { onNew: () => void }) {
  const nowMs = useNowMs();
  const [showsEnded, setShowsEnded] = useState(false);
  const make = <Button look="primary" icon="plus" label="New key" onClick={onNew} />;
  return (
    <Listing
      what="the keys"
      query={API_KEYS}
      types={["ApiKey"]}
      table={{ label: "API keys", columns: KEY_COLUMNS }}
      empty={
        <Panel icon="key" title="No keys yet" action={make}>
          A key lets a program call the API in your name, and never do more than you may.
        </Panel>
      }
      renderFrame={(list, { nodes }) => {
        const first = nodes.find((key) => key.name === FIRST_KEY && stateOf(key, nowMs) === "active");
        return (
          <div className="stack">
            <div className="cluster roomy">
              {nodes.some((key) => stateOf(key, nowMs) !== "active") && (
                <CheckField
                  label="Show revoked and expired keys"
                  checked={showsEnded}
                  onChange={(event) => setShowsEnded(event.target.checked)}
                />
              )}
              <span className="push">{make}</span>
            </div>
            {first && <FirstKey apiKey={first} />}
            {list}
          </div>
        );
      }}
    >
      {(keys) => {
        const shown = keys.filter((key) => showsEnded || stateOf(key, nowMs) === "active");
        if (shown.length > 0) return shown.map((key) => <KeyRow key={key.id} apiKey={key} />);
        return (
          <tr>
            <td colSpan={KEY_COLUMNS.length} className="soft">
              No key works at present.
            </td>
          </tr>
        );
      }}
    </Listing>
  );
}

/** @param nowMs the present time */
export function stateOf(
  { revokedAt, expiresAt }: Pick<ApiKeyRow, "revokedAt" | "expiresAt">,
  nowMs: number,
): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? "expired" : "active";
}

const KEY_COLUMNS = [
  { label: "Name", isName: true },
  { label: "Begins" },
  { label: "Scopes" },
  { label: "Made by" },
  { label: "Last used", className: "soft nowrap" },
  { label: "Expires", className: "soft nowrap" },
  { label: "", className: "end" },
];

function KeyRow({ apiKey }: { apiKey: ApiKeyRow }) {
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
