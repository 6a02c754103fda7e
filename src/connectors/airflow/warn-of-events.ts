/** Finds out whether DAGs are in the catalog a second time, by their OpenLineage events. */
import type { FindPipelines } from "../connector.ts";
import { type Fault, warningEvent } from "../faults.ts";
import { OWN_PLATFORM as OPENLINEAGE } from "../openlineage/naming.ts";
import type { Dag } from "./shapes.ts";

/** One DAG that sends events is enough. */
const MOST_SOUGHT = 10;

/** For a crawl whose options name no namespace of events. It warns of the first DAG that only events hold under its name. */
export async function* warnOfEvents(dags: readonly Dag[], findPipelines: FindPipelines): AsyncGenerator<Fault> {
  for (const { id } of dags.filter(({ isPaused }) => !isPaused).slice(0, MOST_SOUGHT)) {
    for (const { meta, connectors } of await findPipelines(id, OPENLINEAGE)) {
      const { integration, namespace } = meta;
      const isOfAirflow = typeof integration === "string" && integration.toUpperCase() === "AIRFLOW";
      // One that a second connector holds is a DAG of another Airflow.
      if (!isOfAirflow || typeof namespace !== "string" || connectors.length > 1) continue;
      const message = `DAGs may be in the catalog twice: ${id} is also a pipeline of OpenLineage events of Airflow, in the namespace ${namespace}. If these are the events of this Airflow, set the connector's option openlineage_namespace=${namespace}, and sync it with --confirm-removal, because its DAGs and tasks then get the names of their events.`;
      yield warningEvent({ code: "doubled_by_events", object: id, stage: "resolve", message });
      return;
    }
  }
}
