/** The OpenLineage connector: jobs, datasets and lineage from the events that schedulers and engines send. */
import type { ConnectorType } from "../connector.ts";
import { type OpenLineageOptions, openLineageOptions } from "./options.ts";
import { OWN_PLATFORM } from "./naming.ts";
import { readEvent } from "./read-event.ts";
import { stateSubject } from "./state-subject.ts";

export const openLineageConnector = {
  type: OWN_PLATFORM,
  description: "OpenLineage events: jobs, datasets and lineage as Airflow, Spark, dbt and others report them.",
  precedence: 40,
  lineagePrecedence: 200,
  options: openLineageOptions,
  secretOptions: [],
  receive: { read: readEvent, stateSubject },
} satisfies ConnectorType<OpenLineageOptions>;
