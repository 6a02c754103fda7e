/** The bodies that clients of DataHub post, as lists of messages. */
import { z } from "zod";

/** `POST /aspects?action=ingestProposal`, `…ingestProposalBatch` and `POST /entities?action=ingest`. */
const one = z.object({ proposal: z.unknown() });
const many = z.object({ proposals: z.array(z.unknown()) });

/** `POST` and `PATCH /openapi/v3/entity/TYPE`: each entity with its aspects. */
const entities = z.array(z.looseObject({ urn: z.string() }));
const aspect = z.object({ value: z.unknown(), systemMetadata: z.unknown().optional() });
/** What `PATCH` brings. No aspect has such a list. */
const patch = z.object({ patch: z.array(z.unknown()) });

export function readPosted(body: unknown): unknown[] {
  const proposal = one.safeParse(body).data?.proposal;
  if (proposal !== undefined) return [proposal];
  const listed = many.safeParse(body).data?.proposals ?? null;
  if (listed !== null) return listed;
  const given = entities.safeParse(body).data ?? null;
  if (given === null) return [body];
  return given.flatMap(({ urn: entityUrn, ...aspects }) =>
    Object.entries(aspects).map(([aspectName, of]) => {
      const { value, systemMetadata } = aspect.safeParse(of).data ?? { value: of };
      const changeType = patch.safeParse(value).success ? "PATCH" : "UPSERT";
      return { entityType: "", entityUrn, changeType, aspectName, aspect: { json: value }, systemMetadata };
    }),
  );
}
