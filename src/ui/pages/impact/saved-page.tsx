/** The whole answer to which a comment on a pull request links, as it was then. */
import { useQuery } from "urql";
import { useParams } from "wouter";

import { Loaded } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Time } from "../../parts/time.tsx";
import { useParameters } from "../../parts/use-parameters.ts";
import { ChangeSetResult } from "./change-set-result.tsx";
import { SAVED_IMPACT } from "./documents.ts";
import { FAIL_ON, RISKS } from "./filter.ts";

export function SavedImpactPage() {
  const { id = "" } = useParams();
  const { parameters } = useParameters();
  const failOn = RISKS.find(({ risk }) => risk === parameters.get("fail_on"))?.risk ?? FAIL_ON;
  const asked = useQuery({ query: SAVED_IMPACT, variables: { id, failOn } });
  const saved = asked[0].data?.savedImpact;
  const missing = (
    <Panel icon="search" title="This answer is not here">
      An answer is kept for 90 days, and only members of its workspace see it.
    </Panel>
  );
  return (
    <Page
      title="What breaks"
      lead={
        saved && (
          <>
            {saved.impact.against === null ? "Some changes" : `A pull request on ${saved.impact.against}`}, as of{" "}
            <Time at={saved.savedAt} />
          </>
        )
      }
    >
      <Loaded what="the answer" asked={asked} missing={missing} rows={8}>
        {({ impact }) => <ChangeSetResult answer={impact} savedId={id} />}
      </Loaded>
    </Page>
  );
}
