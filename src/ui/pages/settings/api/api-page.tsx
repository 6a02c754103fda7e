/** Settings › API: keys, service accounts, their limits, and lines that call the service. */
import { useState } from "react";

import { AdminsOnly } from "../../../app/session/admins-only.tsx";
import { Tabs } from "../../../parts/tabs.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { Secret, Snippet } from "../../../parts/copy.tsx";
import { Section, Panel } from "../../../parts/page.tsx";
import { Button } from "../../../parts/button.tsx";
import { ChangeDialog } from "../../../parts/change-form.tsx";
import { SelectField, TextField } from "../../../parts/form.tsx";
import { Listing } from "../../../parts/listing.tsx";
import { OnceDialog } from "../../../parts/dialog.tsx";
import { ROLES, toRole } from "../roles.ts";
import { KeysTab } from "./keys-tab.tsx";
import { LimitsTab } from "./limits-tab.tsx";
import { writeLines } from "./lines.ts";
import { AccountCard, type NewSecret } from "./account-card.tsx";
import { CREATE_ACCOUNT, SERVICE_ACCOUNTS } from "./documents.ts";
import { ExpiryField, readExpiry } from "./new-key-dialog.tsx";

const ACCOUNTS = (
  <AdminsOnly what="manage service accounts">
    <AccountsTab />
  </AdminsOnly>
);
const LIMITS = (
  <AdminsOnly what="see and set the limits of tokens">
    <LimitsTab />
  </AdminsOnly>
);

export function ApiPage() {
  return (
    <SettingsPage
      title="API"
      lead="Programs call Tributary with a token: a key, or what a service account gets for its secret."
    >
      <Tabs
        label="API"
        tabs={[
          { name: "keys", label: "Keys", content: <KeysTab /> },
          { name: "accounts", label: "Service accounts", content: ACCOUNTS },
          { name: "limits", label: "Limits", content: LIMITS },
          { name: "lines", label: "Call it", content: <LinesTab /> },
        ]}
      />
    </SettingsPage>
  );
}

/** Lines to paste, with this service's address. */
function LinesTab() {
  const lines = writeLines(location.origin);
  return (
    <div className="stack roomy">
      <p className="soft">
        The address is that of this page. Put a key into <code>TRIBUTARY_TOKEN</code> first:{" "}
        <code>export TRIBUTARY_TOKEN=svc_live_…</code>
      </p>
      <Section
        title="REST"
        lead={
          <>
            All calls, with their parameters, are in the <a href="/docs">API docs</a>.
          </>
        }
      >
        <Snippet label="A REST call with curl" text={lines.curl} />
      </Section>
      <Section title="GraphQL" lead="One request for exactly the fields that you need.">
        <Snippet label="A GraphQL query with curl" text={lines.graphql} />
      </Section>
      <Section title="Python" lead="With the standard library alone.">
        <Snippet label="A REST call with Python" text={lines.python} />
      </Section>
      <Section
        title="Agents"
        lead="Over the Model Context Protocol. Make a key with the scope read, one for each agent."
      >
        <Snippet label="The line that adds it to Claude Code" text={lines.mcp} />
      </Section>
      <Section title="Service accounts" lead="They exchange their id and secret for a token that works for an hour.">
        <Snippet label="A token for a service account with curl" text={lines.oauth} />
      </Section>
    </div>
  );
}

function AccountsTab() {
  const [isMaking, setMaking] = useState(false);
  // Here and not at its account: if the list cannot be loaded again, the secret must stay, since it is shown once.
  const [made, setMade] = useState<NewSecret | null>(null);
  const make = <Button look="primary" icon="plus" label="New service account" onClick={() => setMaking(true)} />;
  return (
    <div className="stack">
      <Listing
        what="the service accounts"
        query={SERVICE_ACCOUNTS}
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
        renderLine={(account) => <AccountCard account={account} onSecret={setMade} />}
      />
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
