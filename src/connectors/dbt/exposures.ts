/** Exposures: where the project's data is used. */
import type { AssetStatement } from "../../catalog/statement.ts";
import type { CrawlEvent } from "../connector.ts";
import { annotationsOf, toOwnership } from "./annotations.ts";
import { warningEvent } from "../faults.ts";
import { findUrl } from "../http/find-url.ts";
import type { ProjectGraph } from "./project-graph.ts";
import { parseMember } from "./read-members.ts";
import { exposureRef, usageOf } from "./relation-ref.ts";
import { exposureShape } from "./shapes.ts";
import type { Survey } from "./survey.ts";

export function* stateExposures(
  { exposures, groups, platform, instance }: Survey,
  graph: ProjectGraph,
): Generator<CrawlEvent> {
  for (const [id, value] of exposures) {
    const exposure = yield* parseMember({ key: id, value, excess: null }, exposureShape);
    if (exposure === null) continue;
    const facts = yield* annotationsOf(id, exposure, groups);
    const url = findUrl(exposure.url);
    if (url === null && exposure.url !== "") {
      const message = `${id} has the URL ${JSON.stringify(exposure.url)}, which is not an http(s) URL; it is left out.`;
      yield warningEvent({ code: "invalid_url", object: id, stage: "parse", message });
    }
    const ref = exposureRef(exposure, { platform, instance });
    const asset: AssetStatement = {
      ref,
      name: exposure.label || exposure.name,
      facts: {
        ...facts,
        ...(exposure.owner === null ? {} : toOwnership(exposure.owner)),
        url: url === null ? null : exposure.url,
      },
      columns: [],
    };
    yield* graph.state(id, asset, { kind: usageOf(ref), from: exposure.depends_on });
  }
}
