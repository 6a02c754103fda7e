/**
 * The messages in a body that a client of DataHub posts, one by one: a body may have so many that it takes several slices
 * to read them. What has none of the forms is a message too, and told as one that could not be read.
 */
export function* postedIn(body: unknown): Generator<unknown> {
  const { proposal, proposals, entities, systemMetadata, buckets, name, event } = Object(body);
  // `POST /aspects?action=ingestProposal`, `…ingestProposalBatch` and `POST /entities?action=ingest`.
  if (proposal !== undefined) yield proposal;
  else if (Array.isArray(proposals)) yield* proposals;
  // `POST /entities?action=ingestBatch`.
  else if (Array.isArray(entities))
    for (const [at, entity] of entities.entries())
      yield { entity, systemMetadata: Array.isArray(systemMetadata) ? systemMetadata[at] : systemMetadata };
  // `POST /usageStats?action=batchIngest`, the older form of usage.
  else if (Array.isArray(buckets)) for (const bucket of buckets) yield usageIn(bucket);
  // `POST /platform?action=producePlatformEvent`. Its kind is counted as one that is not kept.
  else if (typeof name === "string" && event !== undefined)
    yield say(`urn:li:platformEvent:${name}`, { aspectName: name, json: event });
  // `POST` and `PATCH /openapi/v3/entity/TYPE`: each entity with its aspects.
  else if (Array.isArray(body)) for (const entity of body) yield* aspectsOf(entity);
  else yield body;
}

function* aspectsOf(entity: unknown): Generator<unknown> {
  const { urn: entityUrn, ...aspects } = Object(entity);
  const said = Object.entries<unknown>(aspects);
  if (typeof entityUrn !== "string" || said.length === 0) return yield entity;
  for (const [aspectName, of] of said) {
    const { value = of, systemMetadata } = Object(of);
    // What `PATCH` brings. No aspect has such a list.
    const changeType = Array.isArray(Object(value).patch) ? "PATCH" : "UPSERT";
    yield say(entityUrn, { changeType, aspectName, json: value, systemMetadata });
  }
}

interface Said {
  changeType?: "PATCH" | "UPSERT";
  aspectName: string;
  json: unknown;
  systemMetadata?: unknown;
}

function say(entityUrn: string, { changeType = "UPSERT", aspectName, json, systemMetadata }: Said): object {
  return { entityType: "", entityUrn, changeType, aspectName, aspect: { json }, systemMetadata };
}

/** What has another form stays, and is told. */
function usageIn(bucket: unknown): unknown {
  const { bucket: timestampMillis, duration: unit, resource, metrics } = Object(bucket);
  if (typeof resource !== "string") return bucket;
  const { users: userCounts, uniqueUserCount, totalSqlQueries } = Object(metrics);
  const json = { timestampMillis, eventGranularity: { unit }, uniqueUserCount, totalSqlQueries, userCounts };
  return say(resource, { aspectName: "datasetUsageStatistics", json });
}
