/** Settings › Notifications: who hears of what happens. */
import { useState } from "react";

import { useIsAdmin } from "../../../app/session/session.ts";
import { Secret } from "../../../parts/copy.tsx";
import { OnceDialog } from "../../../parts/dialog.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { useFresh } from "../../../graphql/requests.ts";
import { Button } from "../../../parts/button.tsx";
import { Loaded } from "../../../parts/listing.tsx";
import { Panel } from "../../../parts/page.tsx";
import { type NewSecret, RuleDialog } from "./rule-dialog.tsx";
import { OWN_RULES, WORKSPACE_RULES } from "./documents.ts";
import { RuleCard } from "./rule-card.tsx";

export function NoticeRulesPage() {
  const isAdmin = useIsAdmin();
  // Here and not at its rule: if the list cannot be loaded again, the secret must stay, since it is shown once.
  const [made, setMade] = useState<NewSecret | null>(null);
  return (
    <SettingsPage
      title="Notifications"
      lead="Hear what happens and what changes: here, by e-mail or as a feed. Or tell a webhook, Slack or Microsoft Teams."
    >
      <RuleSection isOwn onSecret={setMade} />
      {isAdmin && <RuleSection isOwn={false} onSecret={setMade} />}
      {made !== null && (
        <OnceDialog title={made.title} done="I have stored it" onClose={() => setMade(null)}>
          <p>
            Copy it now, because it cannot be shown again. A receiver verifies with it what arrives; a feed is read at
            it.
          </p>
          <Secret label="Secret" text={made.secret} />
        </OnceDialog>
      )}
    </SettingsPage>
  );
}

/** The notice rules of the workspace, or those of the person, which nobody else sees. */
function RuleSection(props: { isOwn: boolean; onSecret: (made: NewSecret) => void }) {
  const { isOwn } = props;
  const [isAdding, setAdding] = useState(false);
  const asked = useFresh(isOwn ? OWN_RULES.list : WORKSPACE_RULES.list, {}, { types: ["NoticeRule"] });
  const title = isOwn ? "Yours" : "Of the workspace";
  return (
    <section className="stack" aria-label={title}>
      <div className="cluster">
        <h2>{title}</h2>
        <Button
          className="push"
          look={isOwn ? "plain" : "primary"}
          icon="plus"
          label={isOwn ? "New notification to me" : "New notification"}
          onClick={() => setAdding(true)}
        />
      </div>
      <Loaded what="the notifications" asked={asked} rows={isOwn ? 1 : 3}>
        {(rules) => {
          if (rules.length > 0) return rules.map((rule) => <RuleCard key={rule.id} rule={rule} {...props} />);
          return isOwn ? (
            <p className="soft">You have none of your own. Nobody else sees what you add here.</p>
          ) : (
            <Panel icon="bell" title="No notifications yet">
              Nobody hears of it if a certification lapses while nobody looks. Add a notification to change that.
            </Panel>
          );
        }}
      </Loaded>
      {isAdding && <RuleDialog rule={null} onClose={() => setAdding(false)} {...props} />}
    </section>
  );
}
