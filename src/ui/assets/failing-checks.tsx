/** The checks that fail on an asset or metric and on what feeds it: whether its numbers can be trusted today. */
import { type FragmentOf, gql, type ResultOf, using } from "../graphql/graphql.ts";
import { useFresh } from "../graphql/requests.ts";
import { Badge, TypeIcon, Icon } from "../parts/marks.tsx";
import { countOf } from "../parts/count.ts";
import { Loaded } from "../parts/listing.tsx";
import { NODE, parentOf } from "./asset-row.ts";
import { NodeName } from "./names.tsx";

const FAILED_CHECK = gql("fragment FailedCheck on Check { id name status message failures }");

/** Failing assets are few, and so are compared here with those that feed the asset. */
const FAILING_UPSTREAM = using(NODE, FAILED_CHECK).gql(`query FailingUpstream($id: ID!) {
  lineage(id: $id, direction: upstream, depth: 10) { truncated deeper nodes { id depth } }
  assets(failing: true, types: [table, model, dashboard, pipeline], first: 200) {
    pageInfo { hasNextPage }
    nodes {
      ...Node
      failed: checks(status: fail, first: 5) { totalCount nodes { ...FailedCheck } }
      stopped: checks(status: error, first: 5) { totalCount nodes { ...FailedCheck } }
    }
  }
}`);

type Answer = ResultOf<typeof FAILING_UPSTREAM>;
type FailingAsset = NonNullable<Answer["assets"]>["nodes"][number] & { depth: number };

export function FailingChecks({ id }: { id: string }) {
  const asked = useFresh(FAILING_UPSTREAM, { id });
  return (
    <Loaded what="the failing checks" asked={asked} pick={(answer) => findFailing(id, answer)} rows={2}>
      {({ failing, isPartial }) => (
        <div className="stack">
          {failing.length === 0 && !isPartial && (
            <p className="beside-icon snug faint-icon" data-tone="good">
              <Icon name="check" />
              <span>No check fails on it or on what feeds it, as far as results are known.</span>
            </p>
          )}
          {failing.length > 0 && (
            <ul className="lines">
              {failing.map((asset) => (
                <Failing key={asset.id} asset={asset} />
              ))}
            </ul>
          )}
          {isPartial && <p className="hint">More feeds it than was looked at, so other checks may fail.</p>}
        </div>
      )}
    </Loaded>
  );
}

function Failing({ asset }: { asset: FailingAsset }) {
  const { failed, stopped, depth } = asset;
  const checks = [...failed.nodes, ...stopped.nodes];
  const more = failed.totalCount + stopped.totalCount - checks.length;
  return (
    <li className="line beside-icon">
      <TypeIcon type={asset.type} />
      <div className="shrink">
        <div className="words">
          <NodeName node={asset} />
          <span className="hint">{parentOf(asset)}</span>
          <span className="hint">{depth === 0 ? "this one" : `${countOf(depth, "hop")} upstream`}</span>
        </div>
        <ul className="stack tight small">
          {checks.map((check) => (
            <CheckLine key={check.id} check={check} />
          ))}
          {more > 0 && <li className="hint">and {countOf(more, "other")}</li>}
        </ul>
      </div>
    </li>
  );
}

function CheckLine({ check: { name, status, message, failures } }: { check: FragmentOf<typeof FAILED_CHECK> }) {
  return (
    <li className="words">
      <Badge label={status === "error" ? "could not be run" : "failed"} tone="bad" />
      <code>{name}</code>
      <span className="hint">{message ?? (failures !== null && countOf(failures, "row"))}</span>
    </li>
  );
}

/** The nearest first. */
function findFailing(id: string, { lineage, assets }: Answer): { failing: FailingAsset[]; isPartial: boolean } | null {
  if (lineage === null || assets === null) return null;
  const depths = new Map([[id, 0], ...lineage.nodes.map((node): [string, number] => [node.id, node.depth])]);
  const failing = assets.nodes.flatMap((asset) => {
    const depth = depths.get(asset.id);
    return depth === undefined ? [] : [{ ...asset, depth }];
  });
  return {
    failing: failing.toSorted((a, b) => a.depth - b.depth),
    isPartial: lineage.truncated || lineage.deeper || assets.pageInfo.hasNextPage,
  };
}
