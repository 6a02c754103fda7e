/** The notice rules of the workspace, or those of the person, which nobody else sees. */
import { useState } from "react";

import { useFresh } from "../../../graphql/use-fresh.ts";
import { Button } from "../../../parts/button.tsx";
import { Loaded } from "../../../parts/listing.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { OWN_RULES, WORKSPACE_RULES } from "./documents.ts";
import { RuleCard } from "./rule-card.tsx";
import { type NewSecret, RuleDialog } from "./rule-dialog.tsx";

export function RuleSection(props: { isOwn: boolean; onSecret: (made: NewSecret) => void }) {
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
      <Loaded what="the notifications" asked={asked} pick={({ rules }) => rules} rows={isOwn ? 1 : 3}>
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
