/** The notice rules of the person, which nobody else sees. */
import { useState } from "react";
import { useQuery } from "urql";

import { useChange } from "../../../graphql/use-change.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button, IconButton } from "../../../parts/button.tsx";
import { ConfirmChange } from "../../../parts/confirm-change.tsx";
import { Loaded } from "../../../parts/listing.tsx";
import { Menu, MenuItem } from "../../../parts/menu.tsx";
import { MY_RULES, type NoticeRuleCard, REMOVE_MY_RULE, UPDATE_MY_RULE } from "./documents.ts";
import { EditMyRuleDialog, NewMyRuleDialog } from "./rule-dialog.tsx";
import { RuleWords } from "./rule-words.tsx";

const CONTEXT = { additionalTypenames: ["NoticeRule"] };

export function MyRules() {
  const [isAdding, setAdding] = useState(false);
  const asked = useQuery({ query: MY_RULES, requestPolicy: "cache-and-network", context: CONTEXT });
  return (
    <section className="stack" aria-label="Yours">
      <div className="cluster">
        <h2>Yours</h2>
        <Button className="push" icon="plus" onClick={() => setAdding(true)}>
          New mail to me
        </Button>
      </div>
      <Loaded what="your notifications" asked={asked} pick={({ myNoticeRules }) => myNoticeRules} rows={1}>
        {(rules) =>
          rules.length === 0 ? (
            <p className="soft">You get no mails of your own. Nobody else sees what you add here.</p>
          ) : (
            rules.map((rule) => <MyRule key={rule.id} rule={rule} />)
          )
        }
      </Loaded>
      {isAdding && <NewMyRuleDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

function MyRule({ rule }: { rule: NoticeRuleCard }) {
  const { id, name, disabledAt } = rule;
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  const { change, fault } = useChange(UPDATE_MY_RULE);
  const close = (): void => setOpen(null);
  return (
    <section className="card padded stack" aria-label={name}>
      <div className="cluster">
        <h3>{name}</h3>
        {disabledAt !== null && <Badge tone="bad">off</Badge>}
        <Menu trigger={<IconButton className="push" icon="more" label={`What to do with ${name}`} />}>
          <MenuItem icon="edit" onSelect={() => setOpen("edit")}>
            Change
          </MenuItem>
          <MenuItem
            icon={disabledAt === null ? "stop" : "play"}
            onSelect={() => void change({ input: { id, disabled: disabledAt === null } })}
          >
            {disabledAt === null ? "Switch off" : "Switch on"}
          </MenuItem>
          <MenuItem icon="trash" onSelect={() => setOpen("remove")}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <RuleWords rule={rule} />
      {fault !== null && <p role="alert">{fault}</p>}
      {open === "edit" && <EditMyRuleDialog rule={rule} onClose={close} />}
      {open === "remove" && (
        <ConfirmChange
          title={`Delete ${name}?`}
          action="Delete it"
          change={REMOVE_MY_RULE}
          variables={{ input: { id } }}
          types={["NoticeRule"]}
          onDone={() => `${name} is deleted.`}
          onClose={close}
        >
          You get no more mails by it. This cannot be undone.
        </ConfirmChange>
      )}
    </section>
  );
}
