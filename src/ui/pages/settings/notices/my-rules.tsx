/** The notice rules of the person, which nobody else sees. */
import { useState } from "react";
import { useQuery } from "urql";

import { useChange } from "../../../graphql/use-change.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button, IconButton } from "../../../parts/button.tsx";
import { ConfirmChange } from "../../../parts/confirm-change.tsx";
import { Loaded } from "../../../parts/listing.tsx";
import { Menu, MenuItem } from "../../../parts/menu.tsx";
import { MY_RULES, type NoticeRuleCard, REMOVE_MY_RULE, ROTATE_MY_SECRET, UPDATE_MY_RULE } from "./documents.ts";
import { EditMyRuleDialog, type NewSecret, NewMyRuleDialog } from "./rule-dialog.tsx";
import { RuleWords } from "./rule-words.tsx";
import { CHANNELS, labelOf, ROTATED } from "./words.ts";

const CONTEXT = { additionalTypenames: ["NoticeRule"] };

export function MyRules({ onSecret }: { onSecret: (made: NewSecret) => void }) {
  const [isAdding, setAdding] = useState(false);
  const asked = useQuery({ query: MY_RULES, requestPolicy: "cache-and-network", context: CONTEXT });
  return (
    <section className="stack" aria-label="Yours">
      <div className="cluster">
        <h2>Yours</h2>
        <Button className="push" icon="plus" onClick={() => setAdding(true)}>
          New notification to me
        </Button>
      </div>
      <Loaded what="your notifications" asked={asked} pick={({ myNoticeRules }) => myNoticeRules} rows={1}>
        {(rules) =>
          rules.length === 0 ? (
            <p className="soft">You have none of your own. Nobody else sees what you add here.</p>
          ) : (
            rules.map((rule) => <MyRule key={rule.id} rule={rule} onSecret={onSecret} />)
          )
        }
      </Loaded>
      {isAdding && <NewMyRuleDialog onSecret={onSecret} onClose={() => setAdding(false)} />}
    </section>
  );
}

function MyRule({ rule, onSecret }: { rule: NoticeRuleCard; onSecret: (made: NewSecret) => void }) {
  const { id, name, channel, disabledAt } = rule;
  const [open, setOpen] = useState<"edit" | "rotate" | "remove" | null>(null);
  const { change, fault } = useChange(UPDATE_MY_RULE);
  const close = (): void => setOpen(null);
  return (
    <section className="card padded stack" aria-label={name}>
      <div className="row top">
        <div className="cluster grow">
          <h3 className="wrap">{name}</h3>
          <Badge>{labelOf(CHANNELS, channel)}</Badge>
          {disabledAt !== null && <Badge tone="bad">off</Badge>}
        </div>
        <Menu trigger={<IconButton icon="more" label={`What to do with ${name}`} />}>
          <MenuItem icon="edit" onSelect={() => setOpen("edit")}>
            Change
          </MenuItem>
          {ROTATED[channel] !== undefined && (
            <MenuItem icon="key" onSelect={() => setOpen("rotate")}>
              New address
            </MenuItem>
          )}
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
      {open === "rotate" && (
        <ConfirmChange
          title={`A new address for ${name}?`}
          action="Make the address"
          change={ROTATE_MY_SECRET}
          variables={{ input: { id } }}
          onDone={({ rotateMyNoticeSecret: made }) => {
            if (made?.secret) onSecret({ title: `The new address of ${name}`, secret: made.secret });
          }}
          onClose={close}
        >
          {ROTATED[channel]}
        </ConfirmChange>
      )}
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
          It tells you nothing more. This cannot be undone.
        </ConfirmChange>
      )}
    </section>
  );
}
