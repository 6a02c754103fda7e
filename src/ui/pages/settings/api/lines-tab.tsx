/** Lines to paste, with this service's address. */
import { Snippet } from "../../../parts/copy.tsx";
import { Section } from "../../../parts/page.tsx";
import { writeLines } from "./lines.ts";

export function LinesTab() {
  const lines = writeLines(location.origin);
  return (
    <div className="stack roomy">
      <p className="soft">
        The address is that of this page. Put a key into <code>TRIBUTARY_TOKEN</code> first:{" "}
        <code>export TRIBUTARY_TOKEN=svc_live_…</code>
      </p>
      <Section
        title="REST"
        lead={
          <>
            All calls, with their parameters, are in the <a href="/docs">API docs</a>.
          </>
        }
      >
        <Snippet label="A REST call with curl" text={lines.curl} />
      </Section>
      <Section title="GraphQL" lead="One request for exactly the fields that you need.">
        <Snippet label="A GraphQL query with curl" text={lines.graphql} />
      </Section>
      <Section title="Python" lead="With the standard library alone.">
        <Snippet label="A REST call with Python" text={lines.python} />
      </Section>
      <Section
        title="Agents"
        lead="Over the Model Context Protocol. Make a key with the scope read, one for each agent."
      >
        <Snippet label="The line that adds it to Claude Code" text={lines.mcp} />
      </Section>
      <Section title="Service accounts" lead="They exchange their id and secret for a token that works for an hour.">
        <Snippet label="A token for a service account with curl" text={lines.oauth} />
      </Section>
    </div>
  );
}
