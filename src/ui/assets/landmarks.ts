/** Assets of this catalog that examples can be about. */
import { useQuery } from "urql";

import type { AssetRow } from "./asset-row.ts";
import { graphql } from "../graphql/graphql.ts";

const LANDMARKS = graphql(`
  query Landmarks {
    assets(types: [model, table], first: 100) {
      nodes {
        id
        type
        name
        fqn
        lineageSummary {
          upstreamCount
          downstreamCount
        }
      }
    }
    dashboards: assets(type: dashboard, first: 1) {
      nodes {
        name
      }
    }
    metrics(first: 1) {
      nodes {
        name
        displayName
      }
    }
  }
`);

/** The asset with the most downstream assets; among several, one that has upstream assets too. */
export interface Hub {
  id: string;
  type: AssetRow["type"];
  name: string;
  fqn: string;
}

interface Landmarks {
  hub: Hub | null;
  dashboard: string | null;
  metric: string | null;
}

/** What `useQuery` returns, with the landmarks as the answer. */
export function useLandmarks() {
  // Crawls change the catalog while somebody looks at other pages.
  const [{ data, error, fetching }, again] = useQuery({
    query: LANDMARKS,
    requestPolicy: "cache-and-network",
    context: NOTICES_CHANGES,
  });
  const landmarks: Landmarks | undefined = data && {
    hub: findHub(data.assets?.nodes ?? []),
    dashboard: data.dashboards?.nodes[0]?.name ?? null,
    metric: data.metrics?.nodes[0]?.name ?? null,
  };
  return [{ data: landmarks, error, fetching }, again] as const;
}

interface Candidate extends Hub {
  lineageSummary: { upstreamCount: number; downstreamCount: number };
}

function findHub(candidates: readonly Candidate[]): Hub | null {
  const rankOf = ({ lineageSummary: { upstreamCount, downstreamCount } }: Candidate): number =>
    downstreamCount + (upstreamCount > 0 ? 0.5 : 0);
  return candidates.toSorted((a, b) => rankOf(b) - rankOf(a))[0] ?? null;
}

/** Empty lists have no object by which the cache could know that they change. */
const NOTICES_CHANGES = { additionalTypenames: ["Asset", "Metric"] };
