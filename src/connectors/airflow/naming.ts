/** Names the pipelines of one Airflow: its DAGs and their tasks. */
import type { NodeRef } from "../../catalog/identity.ts";
import { OWN_PLATFORM as OPENLINEAGE } from "../openlineage/naming.ts";
import { OWN_PLATFORM } from "./asset-uri.ts";
import type { AirflowOptions } from "./options.ts";

export type Naming = ReturnType<typeof createNaming>;

/**
 * If the options name the namespace of the OpenLineage events, each DAG and task is the job of its events: Airflow's
 * provider calls it `dag` or `dag.task`.
 */
export function createNaming({
  instance,
  openlineage_namespace: namespace,
}: Pick<AirflowOptions, "instance" | "openlineage_namespace">) {
  const platform = namespace === undefined ? OWN_PLATFORM : OPENLINEAGE;
  const toRef = (...names: string[]): NodeRef => {
    const parts = namespace === undefined ? names : [namespace, names.join(".")];
    return { platform, instance, type: "pipeline", parts };
  };
  return { dag: (dag: string) => toRef(dag), task: (dag: string, task: string) => toRef(dag, task) };
}
