/** Names the pipelines of one Airflow: its DAGs and their tasks. */
import type { NodeRef } from "../../catalog/identity.ts";
import { fold } from "../../catalog/text.ts";
import { OWN_PLATFORM as OPENLINEAGE } from "../openlineage/naming.ts";
import { OWN_PLATFORM } from "./asset-uri.ts";
import type { AirflowOptions } from "./options.ts";

export interface Naming {
  dag: (dag: string) => NodeRef;
  task: (dag: string, task: string) => NodeRef;
}

/**
 * If the options name the namespace of the OpenLineage events, each DAG and task is the job of its events: Airflow's
 * provider calls it `dag` or `dag.task`.
 */
export function createNaming({
  instance,
  openlineage_namespace: namespace,
}: Pick<AirflowOptions, "instance" | "openlineage_namespace">): Naming {
  const pipeline = (platform: string, parts: string[]): NodeRef => ({ platform, instance, type: "pipeline", parts });
  if (namespace === undefined) {
    return {
      dag: (dag) => pipeline(OWN_PLATFORM, [dag]),
      task: (dag, task) => pipeline(OWN_PLATFORM, [dag, task]),
    };
  }
  return {
    dag: (dag) => pipeline(OPENLINEAGE, [namespace, dag]),
    task: (dag, task) => pipeline(OPENLINEAGE, [namespace, `${dag}.${task}`]),
  };
}

/** Equal for two nodes of one type that have the same id. */
export function identityOf({ platform, instance, parts }: NodeRef): string {
  return JSON.stringify([platform, instance, ...parts.map(fold)]);
}
