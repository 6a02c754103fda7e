/** What a rule sent, with each answer. */
import { useChange } from "../../../graphql/use-change.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { formatCount } from "../../../parts/count.ts";
import { Listing } from "../../../parts/listing.tsx";
import { Time } from "../../../parts/time.tsx";
import { NOTICES, type NoticeRow, RESEND } from "./documents.ts";
import { describeTry, KINDS, labelOf, STATUSES } from "./words.ts";

export function SentNotices({ id, name }: { id: string; name: string }) {
  return (
    <Listing
      what="the notices"
      query={NOTICES}
      variables={(after) => ({ id, after })}
      pick={({ noticeRule }) => noticeRule?.notices}
      types={["Notice"]}
      rows={3}
      table={{ label: `What ${name} sent`, columns: ["When", "What", "Status", "Last answer", ""] }}
      empty={<p className="soft">Nothing was sent yet.</p>}
    >
      {(notices) => notices.map((it) => <NoticeLine key={it.id} notice={it} />)}
    </Listing>
  );
}

function NoticeLine({ notice }: { notice: NoticeRow }) {
  const { change, isBusy, fault } = useChange(RESEND, { types: ["NoticeRule"] });
  const { id, status, createdAt, triesTotal, isTest } = notice;
  const { label, tone } = STATUSES[status];
  return (
    <tr>
      <td>
        <Time at={createdAt} />
      </td>
      <td>{isTest ? "A test" : describeEvents(notice)}</td>
      <td>
        <Badge label={label} tone={tone} />
      </td>
      <td>
        {describeTry(notice)}
        {triesTotal > 1 && <span className="soft"> ({formatCount(triesTotal)} tries)</span>}
        {fault !== null && <p role="alert">{fault}</p>}
      </td>
      <td>
        {status !== "waiting" && !isTest && (
          <Button label="Send again" look="quiet" isBusy={isBusy} onClick={() => void change({ input: { id } })} />
        )}
      </td>
    </tr>
  );
}

function describeEvents({ events, eventsTotal }: NoticeRow): string {
  const [first] = events;
  if (first === undefined) return "";
  const more = eventsTotal > 1 ? `, and ${formatCount(eventsTotal - 1)} more` : "";
  return `${labelOf(KINDS, first.kind)}: ${first.name}${more}`;
}
