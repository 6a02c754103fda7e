/** The service accounts. */
import { useState } from "react";

import { Button } from "../../../parts/button.tsx";
import { ChangeDialog } from "../../../parts/change-form.tsx";
import { Secret, Snippet } from "../../../parts/copy.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { Listing } from "../../../parts/listing.tsx";
import { OnceDialog } from "../../../parts/dialog.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { ROLES, toRole } from "../roles.ts";
import { AccountCard, type NewSecret } from "./account-card.tsx";
import { CREATE_ACCOUNT, SERVICE_ACCOUNTS } from "./documents.ts";
import { writeLines } from "./lines.ts";
import { ExpiryField, readExpiry } from "./new-key-dialog.tsx";

export function AccountsTab() {
  const [isMaking, setMaking] = useState(false);
  // Here and not at its account: if the list cannot be loaded again, the secret must stay, since it is shown once.
  const [made, setMade] = useState<NewSecret | null>(null);
  const make = <Button look="primary" icon="plus" label="New service account" onClick={() => setMaking(true)} />;
  return (
    <div className="stack">
      <Listing
        what="the service accounts"
        query={SERVICE_ACCOUNTS}
        variables={(after) => ({ after })}
        pick={({ serviceAccounts }) => serviceAccounts}
        types={["ServiceAccount", "ClientSecret"]}
        empty={
          <Panel icon="robot" title="No service accounts yet" action={make}>
            A service account is for a program that belongs to nobody: a scheduler, a pipeline, a bot. It gets tokens by
            OAuth, which work for an hour.
          </Panel>
        }
        renderFrame={(list) => (
          <>
            <div className="end">{make}</div>
            {list}
          </>
        )}
      >
        {(accounts) => accounts.map((it) => <AccountCard key={it.id} account={it} onSecret={setMade} />)}
      </Listing>
      {isMaking && (
        <ChangeDialog
          title="New service account"
          action="Make the account"
          change={CREATE_ACCOUNT}
          variables={(form) => ({
            input: {
              name: String(form.get("name")),
              role: toRole(form.get("role")),
              expiresInDays: readExpiry(form),
            },
          })}
          onDone={({ createServiceAccount: account }) => {
            if (account === null) return;
            const { clientId, clientSecret } = account;
            setMade({ title: "Your new service account", clientId, secret: clientSecret });
          }}
          onClose={() => setMaking(false)}
        >
          <TextField label="Name" name="name" hint="The program that it is for." autoFocus required maxLength={100} />
          <div className="pair">
            <SelectField label="Role" name="role" choices={ROLES} defaultValue="analyst" />
            <ExpiryField label="Its secret expires" />
          </div>
        </ChangeDialog>
      )}
      {made !== null && (
        <OnceDialog title={made.title} done="I have stored it" onClose={() => setMade(null)}>
          <p>Copy it now. It is stored as a hash only, and cannot be shown again.</p>
          <Secret label="Client id" text={made.clientId} />
          <Secret label="Client secret" text={made.secret} />
          <Snippet label="How it gets a token" text={writeLines(location.origin).oauth} />
        </OnceDialog>
      )}
    </div>
  );
}
