/** One notice rule: what it tells, where to, how it goes, and what it sent. */
import { useState } from "react";

import { useChange } from "../../../graphql/requests.ts";
import { Badge } from "../../../parts/marks.tsx";
import { Button, IconButton } from "../../../parts/button.tsx";
import { ConfirmChange } from "../../../parts/change-form.tsx";
import { Menu, MenuItem } from "../../../parts/menu.tsx";
import { Row } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { showToast } from "../../../parts/toast.tsx";
import { PersonName } from "../../../assets/names.tsx";
import { formatCount } from "../../../parts/count.ts";
import { Listing } from "../../../parts/listing.tsx";
import {
  type NoticeRow,
  type NoticeRuleCard,
  NOTICES,
  OWN_RULES,
  RESEND,
  TEST_RULE,
  WORKSPACE_RULES,
} from "./documents.ts";
import { type NewSecret, RuleDialog, About } from "./rule-dialog.tsx";
import { asksFor, CHANNELS, describeTry, DIGESTS, KINDS, labelOf, RISKS, ROTATED, TONES } from "./words.ts";

interface RuleCardProps {
  rule: NoticeRuleCard;
  /** Whether it is the person's own rule. What it sent is under Notices. */
  isOwn: boolean;
  onSecret: (made: NewSecret) => void;
}

export function RuleCard({ rule, isOwn, onSecret }: RuleCardProps) {
  const { id, name, channel, to, disabledAt, failingSince } = rule;
  const [open, setOpen] = useState<"remove" | "rotate" | "disable" | "edit" | null>(null);
  const [isLogShown, setLogShown] = useState(false);
  const changes = isOwn ? OWN_RULES : WORKSPACE_RULES;
  const update = useChange(changes.update);
  const test = useChange(TEST_RULE, { types: ["Notice"] });
  const secret = channel === "feed" ? "address" : "secret";
  const close = (): void => setOpen(null);
  const fault = update.fault ?? test.fault;
  const sendTest = async (): Promise<void> => {
    const notice = (await test.change({ input: { id } }))?.testNoticeRule?.notice;
    if (!notice) return;
    if (notice.status === "delivered") showToast(`The test of ${name} arrived.`);
    else showToast(`The test of ${name} did not arrive. ${describeTry(notice)}.`, "bad");
  };
  return (
    <section className="card padded stack" aria-label={name}>
      <div className="row top">
        <div className="cluster grow">
          <h3 className="wrap">{name}</h3>
          <Badge label={labelOf(CHANNELS, channel)} />
          {disabledAt !== null && <Badge label="off" tone="bad" />}
          {disabledAt === null && failingSince !== null && <Badge label="failing" tone="warn" />}
        </div>
        <Menu trigger={<IconButton icon="more" label={`What to do with ${name}`} />}>
          <MenuItem icon="edit" label="Change" onSelect={() => setOpen("edit")} />
          {ROTATED[channel] !== undefined && (
            <MenuItem icon="key" label={`New ${secret}`} onSelect={() => setOpen("rotate")} />
          )}
          {disabledAt === null ? (
            <MenuItem icon="stop" label="Switch off" onSelect={() => setOpen("disable")} />
          ) : (
            <MenuItem
              icon="play"
              label="Switch on"
              onSelect={() => void update.change({ input: { id, disabled: false } })}
            />
          )}
          <MenuItem icon="trash" label="Delete" onSelect={() => setOpen("remove")} />
        </Menu>
      </div>
      <RuleWords rule={rule} />
      {disabledAt === null && failingSince !== null && (
        <p className="warn">
          No notice has arrived since <Time at={failingSince} />. It is tried for a day.
        </p>
      )}
      {fault !== null && <p role="alert">{fault}</p>}
      {!isOwn && (
        <div className="cluster">
          {(asksFor(channel) === "url" || (channel === "email" && to !== null)) && (
            <Button icon="play" label="Send a test" isBusy={test.isBusy} onClick={() => void sendTest()} />
          )}
          <Button
            label={isLogShown ? "Hide what it sent" : "Show what it sent"}
            look="quiet"
            aria-expanded={isLogShown}
            onClick={() => setLogShown(!isLogShown)}
          />
        </div>
      )}
      {isLogShown && <SentNotices id={id} name={name} />}
      {open === "edit" && <RuleDialog rule={rule} isOwn={isOwn} onSecret={onSecret} onClose={close} />}
      {open === "disable" && (
        <ConfirmChange
          title={`Switch ${name} off?`}
          action="Switch it off"
          change={changes.update}
          variables={{ input: { id, disabled: true } }}
          types={["Notice"]}
          onClose={close}
        >
          Notices that wait are not sent, and what happens from then on is not told. You can switch it on again.
        </ConfirmChange>
      )}
      {open === "rotate" && (
        <ConfirmChange
          title={`A new ${secret} for ${name}?`}
          action={`Make the ${secret}`}
          change={changes.rotate}
          variables={{ input: { id } }}
          onDone={({ made }) => {
            if (made?.secret) onSecret({ title: `The new ${secret} of ${name}`, secret: made.secret });
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
          change={changes.remove}
          variables={{ input: { id } }}
          types={["NoticeRule"]}
          onDone={() => `${name} is deleted.`}
          onClose={close}
        >
          Notices that wait are not sent, and what it sent is forgotten. This cannot be undone.
        </ConfirmChange>
      )}
    </section>
  );
}

/** What a rule tells, what it is about and where to, and why it is off. */
function describeReader({ channel, origin, recipient }: NoticeRuleCard) {
  const asks = asksFor(channel);
  if (asks === null) return "whoever has its address";
  return asks === "url" ? <code>{origin}</code> : <PersonName of={recipient} none="the owners" />;
}

function RuleWords({ rule }: { rule: NoticeRuleCard }) {
  const { kinds, minRisk, digestHour, disabledReason } = rule;
  return (
    <>
      <p className="soft">
        {kinds.map((kind) => labelOf(KINDS, kind)).join(" · ")}
        {minRisk !== null && ` (changes: ${labelOf(RISKS, minRisk).toLowerCase()})`}
        <br />
        <About of={rule} />, to {describeReader(rule)}
        {digestHour !== null && ` · ${labelOf(DIGESTS, String(digestHour))}`}
      </p>
      {disabledReason !== null && <p className="bad">Switched off: {disabledReason}</p>}
    </>
  );
}

const NOTICE_COLUMNS = ["When", "What", "Status", "Last answer", ""].map((label) => ({ label }));

/** What a rule sent, with each answer. */
function SentNotices({ id, name }: { id: string; name: string }) {
  return (
    <Listing
      what="the notices"
      query={NOTICES}
      variables={{ id }}
      pick={({ noticeRule }) => noticeRule?.notices}
      types={["Notice"]}
      rows={3}
      table={{ label: `What ${name} sent`, columns: NOTICE_COLUMNS }}
      empty={<p className="soft">Nothing was sent yet.</p>}
      renderLine={(notice) => <NoticeLine notice={notice} />}
    />
  );
}

function NoticeLine({ notice }: { notice: NoticeRow }) {
  const { change, isBusy, fault } = useChange(RESEND, { types: ["NoticeRule"] });
  const { id, status, createdAt, triesTotal, isTest } = notice;
  return (
    <Row columns={NOTICE_COLUMNS}>
      <Time at={createdAt} />
      {isTest ? "A test" : describeEvents(notice)}
      <Badge label={status} tone={TONES[status]} />
      <>
        {describeTry(notice)}
        {triesTotal > 1 && <span className="soft"> ({formatCount(triesTotal)} tries)</span>}
        {fault !== null && <p role="alert">{fault}</p>}
      </>
      {status !== "waiting" && !isTest && (
        <Button label="Send again" look="quiet" isBusy={isBusy} onClick={() => void change({ input: { id } })} />
      )}
    </Row>
  );
}

function describeEvents({ events, eventsTotal }: NoticeRow): string {
  const [first] = events;
  if (first === undefined) return "";
  const more = eventsTotal > 1 ? `, and ${formatCount(eventsTotal - 1)} more` : "";
  return `${labelOf(KINDS, first.kind)}: ${first.name}${more}`;
}
