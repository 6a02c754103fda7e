/** The OpenLineage connector: jobs, datasets and lineage from the events that schedulers and engines send. */
import type { ConnectorType, Receive } from "../connector.ts";
import { type OpenLineageOptions, openLineageOptions } from "./options.ts";
import { readEvent } from "./read-event.ts";
import { stateSubject } from "./state-subject.ts";

interface OpenLineageConnector extends ConnectorType<OpenLineageOptions> {
  receive: Receive<OpenLineageOptions>;
}

export const openLineageConnector: OpenLineageConnector = {
  type: "openlineage",
  description: "OpenLineage events: jobs, datasets and lineage as Airflow, Spark, dbt and others report them.",
  precedence: 40,
  lineagePrecedence: 200,
  options: openLineageOptions,
  secretOptions: [],
  receive: { read: readEvent, stateSubject },
};
