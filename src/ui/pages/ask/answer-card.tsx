/** An answer: what was understood, what was found, and what that is based on. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { parentOf, pathOfAsset, pathOfNode } from "../../assets/asset-row.ts";
import { NodeName } from "../../assets/names.tsx";
import type { ResultOf } from "../../graphql/graphql.ts";
import { Badge, TypeIcon, Icon, type IconName } from "../../parts/marks.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { copyText } from "../../parts/copy.tsx";
import { Section } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { pathOfImpact } from "../impact/change.ts";
import styles from "./answer-card.module.css";
import { type Answer, CITED } from "./documents.ts";

type Cited = Extract<NonNullable<NonNullable<ResultOf<typeof CITED>["nodes"]>[number]>, { name: string }>;

/** From here on, few answers are wrong. */
const SURE_FROM = 0.8;

export function AnswerCard({ answer }: { answer: Answer }) {
  const { citations, readAs, confidence, note, engine } = answer;
  const ids = citations.map(({ assetId }) => assetId);
  const [{ data }] = useQuery({ query: CITED, variables: { ids }, pause: ids.length === 0 });
  const cited = new Map<string, Cited>(
    data?.nodes?.flatMap((node) => (node && "name" in node ? [[node.id, node] as const] : [])),
  );
  // Names in the text lead to what is cited under them.
  const byName = new Map(citations.map(({ assetName, assetId }) => [assetName, cited.get(assetId)]));
  const renderName = (name: string) => {
    const node = byName.get(name);
    return node ? (
      <Link href={pathOfNode(node)} className="medium">
        {name}
      </Link>
    ) : (
      <code>{name}</code>
    );
  };
  return (
    <div className="stack loose">
      <article className="card padded stack" aria-label="Answer">
        <header className="beside-icon soft small" data-tone={readAs === null ? "warn" : "good"}>
          <Icon name={readAs === null ? "info" : "check"} size={14} />
          <div className="words">
            {readAs === null ? (
              <strong className="ink">Not answered</strong>
            ) : (
              <span>
                Read as{" "}
                <strong className="ink">
                  <Prose text={readAs} />
                </strong>
              </span>
            )}
            {readAs !== null && <Confidence value={confidence} />}
            {engine === "model" && (
              <Badge label="plan by model" hint="A language model chose the plan. It wrote no part of the answer." />
            )}
          </div>
        </header>
        <p className={`large wrap ${styles["text"]}`}>
          <Prose text={answer.answer} renderName={renderName} />
        </p>
        {note && <p className="soft small">{note}</p>}
        <footer className="cluster">
          {listActions(answer.suggestedActions).map(({ href, label, icon }) => (
            <ButtonLink key={href} href={href} icon={icon} label={label} />
          ))}
          <Button look="quiet" icon="copy" label="Copy" onClick={() => void copyText(answer.answer, "The answer")} />
        </footer>
      </article>
      {citations.length > 0 && (
        <Section title="Based on" count={citations.length}>
          <ol className="lines">
            {citations.map(({ assetId, assetName, snippet }) => {
              const node = cited.get(assetId);
              return (
                <li key={assetId} className="line beside-icon wrap">
                  {node ? <TypeIcon type={node.type} /> : <Icon name="circle" />}
                  <div>
                    {node ? (
                      <span className="words">
                        <NodeName node={node} /> <span className="hint">{parentOf(node)}</span>
                      </span>
                    ) : (
                      assetName
                    )}
                    <p className="soft small">
                      <Prose text={snippet} />
                    </p>
                  </div>
                </li>
              );
            })}
          </ol>
        </Section>
      )}
    </div>
  );
}

function Confidence({ value }: { value: number }) {
  const isSure = value >= SURE_FROM;
  return (
    <Badge
      label={`${Math.round(value * 100)} % sure of the question`}
      tone={isSure ? "good" : "warn"}
      hint="How certain it is that the question was understood. What was found is certain."
    />
  );
}

type Suggested = Answer["suggestedActions"][number];

interface Action {
  href: string;
  label: string;
  icon: IconName;
}

/** The pages that go on from an answer. The service suggests calls of its REST API; here they become links. */
function listActions(suggested: readonly Suggested[]): Action[] {
  const actions = suggested.flatMap((it) => toAction(it) ?? []);
  return [...new Map(actions.map((action) => [action.href, action])).values()];
}

function toAction({ type, endpoint, params, changeType }: Suggested): Action | null {
  // Ids come after the last slash, or as a parameter.
  const last = decodeURIComponent(endpoint.slice(endpoint.lastIndexOf("/") + 1));
  const id = typeof params["asset_id"] === "string" ? params["asset_id"] : last;
  if (type === "run_impact")
    return { href: pathOfImpact(id, changeType ?? undefined), label: "See what breaks", icon: "impact" };
  if (type === "view_asset") return { href: pathOfAsset(id), label: "Open the asset", icon: "table" };
  if (type === "view_metric")
    return { href: pathOfNode({ id, type: "metric" }), label: "Open the metric", icon: "metric" };
  if (type === "view_lineage")
    return { href: `${pathOfAsset(id)}?tab=lineage`, label: "See the lineage", icon: "lineage" };
  return null;
}
