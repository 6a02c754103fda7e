/** Settings › API: keys, service accounts, their limits, and lines that call the service. */
import { AdminsOnly } from "../../../app/session/admins-only.tsx";
import { Tabs } from "../../../parts/tabs.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { AccountsTab } from "./accounts-tab.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { LimitsTab } from "./limits-tab.tsx";
import { LinesTab } from "./lines-tab.tsx";

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
