/** Assets of this catalog that examples can be about. */
import { using } from "../graphql/graphql.ts";
import { useFresh } from "../graphql/requests.ts";
import { NODE } from "./asset-row.ts";

const LANDMARKS = using(NODE).gql(`query Landmarks {
  hubs: assets(types: [model, table], orderBy: downstream, first: 1) { nodes { ...Node } }
  dashboards: assets(type: dashboard, first: 1) { nodes { name } }
  metrics(first: 1) { nodes { name } }
}`);

/** What `useQuery` returns, with the landmarks as the answer. */
export function useLandmarks() {
  const [{ data, error, fetching }, again] = useFresh(LANDMARKS, {}, { types: ["Asset", "Metric"] });
  const landmarks = data && {
    /** The asset with the most downstream assets. */
    hub: data.hubs?.nodes[0] ?? null,
    dashboard: data.dashboards?.nodes[0]?.name ?? null,
    metric: data.metrics?.nodes[0]?.name ?? null,
  };
  return [{ data: landmarks, error, fetching }, again] as const;
}
