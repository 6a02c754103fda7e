/** What the person was told, the newest first. To open it is to read it. */
import { useEffect, useState } from "react";
import { useMutation } from "urql";
import { Link } from "wouter";

import { useNews } from "../../app/unread.tsx";
import { gql, mutation, type ResultOf } from "../../graphql/graphql.ts";
import { useFresh } from "../../graphql/requests.ts";
import { Badge, RiskBadge } from "../../parts/marks.tsx";
import { ButtonLink } from "../../parts/button.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Time } from "../../parts/time.tsx";

const MY_NOTICES = gql(`query MyNotices {
  myNotices {
    readUntil
    notices(first: 100) { id createdAt eventsTotal events { at kind text path note risk } }
  }
}`);
const READ = mutation("readNotices", "myNotices { unread }");

type Told = NonNullable<ResultOf<typeof MY_NOTICES>["myNotices"]>;

export function NoticesPage() {
  const { newest } = useNews();
  const asked = useFresh(MY_NOTICES, {});
  const [{ data }, ask] = asked;
  const [, read] = useMutation(READ);
  const told = data?.myNotices;
  // What was unread when the page was opened stays marked while it is open.
  const [wasReadUntil, setWasReadUntil] = useState<string | null>();
  if (told && wasReadUntil === undefined) setWasReadUntil(told.readUntil);
  const first = told?.notices[0];
  const until = first?.createdAt;
  const shown = first && `${first.id} ${first.createdAt}`;
  useEffect(() => {
    if (shown !== newest && newest !== "") ask({ requestPolicy: "network-only" });
  }, [shown, newest, ask]);
  useEffect(() => {
    if (until !== undefined) void read({ input: { until } });
  }, [until, read]);
  return (
    <Page
      title="Notices"
      lead="What you are told: lapses of what you own or certified, rules that were switched off, and what your own rules tell. Kept for 30 days."
      actions={<ButtonLink href="/settings/notices" icon="settings" label="Choose what you are told" />}
    >
      <Loaded what="your notices" asked={asked} rows={4}>
        {({ notices }) =>
          notices.length === 0 ? (
            <Panel icon="bell" title="Nothing yet">
              Certifications and notice rules of yours that end are told here, and what your own rules tell.
            </Panel>
          ) : (
            <ul className="lines" aria-label="Notices">
              {notices.map((notice) => (
                <Notice key={notice.id} notice={notice} isUnread={notice.createdAt > (wasReadUntil ?? "")} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function Notice({ notice, isUnread }: { notice: Told["notices"][number]; isUnread: boolean }) {
  const { createdAt, events, eventsTotal } = notice;
  const more = eventsTotal - events.length;
  return (
    <li className="padded stack">
      <p className="cluster tight soft small">
        <Time at={createdAt} />
        {isUnread && <Badge label="new" tone="warn" />}
      </p>
      <ul>
        {events.map(({ at, kind, text, path, note, risk }) => (
          <li key={`${at} ${kind} ${text}`}>
            <span className="underlined">
              <Link href={path}>
                <Prose text={text} />
              </Link>
            </span>{" "}
            {risk !== null && <RiskBadge risk={risk} />} <span className="soft">{note && <Prose text={note} />}</span>
          </li>
        ))}
        {more > 0 && <li className="soft">and {more} more</li>}
      </ul>
    </li>
  );
}
