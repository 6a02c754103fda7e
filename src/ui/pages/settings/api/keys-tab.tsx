/** The API keys. */
import { useState } from "react";
import { useQuery } from "urql";

import { useChange } from "../../../graphql/use-change.ts";
import { Button } from "../../../parts/button.tsx";
import { Fault } from "../../../parts/form.tsx";
import { CheckField } from "../../../parts/field.tsx";
import { Listing, Loaded } from "../../../parts/listing.tsx";
import { NoPermission, Panel } from "../../../parts/panel.tsx";
import { useNowMs } from "../../../parts/time.tsx";
import { API_KEYS, type ApiKeyRow, ASKER, REVOKE_KEY } from "./documents.ts";
import { KEY_COLUMNS, KeyRow, stateOf } from "./key-row.tsx";
import { type MadeKey, MadeKeyDialog, NewKeyDialog } from "./new-key-dialog.tsx";

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
