/** Settings › API: keys, service accounts, their limits, and lines that call the service. */
import { useIsAdmin } from "../../../app/session/use-session.ts";
import { NoPermission } from "../../../parts/panel.tsx";
import { Tabs } from "../../../parts/tabs.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { AccountsTab } from "./accounts-tab.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { LimitsTab } from "./limits-tab.tsx";
import { LinesTab } from "./lines-tab.tsx";

export function ApiPage() {
  const isAdmin = useIsAdmin();
  return (
    <SettingsPage
      title="API"
      lead="Programs call Tributary with a token: a key, or what a service account gets for its secret."
    >
      <Tabs
        label="API"
        tabs={[
          { name: "keys", label: "Keys", content: <KeysTab /> },
          {
            name: "accounts",
            label: "Service accounts",
            content: isAdmin ? <AccountsTab /> : <ForAdmins what="Only admins manage service accounts." />,
          },
          {
            name: "limits",
            label: "Limits",
            content: isAdmin ? <LimitsTab /> : <ForAdmins what="Only admins see and set the limits of tokens." />,
          },
          { name: "lines", label: "Call it", content: <LinesTab /> },
        ]}
      />
    </SettingsPage>
  );
}

function ForAdmins({ what }: { what: string }) {
  return <NoPermission needs={`${what} Ask an admin of this workspace.`} />;
}
