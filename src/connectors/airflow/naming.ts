/** Names the pipelines of one Airflow, its DAGs and their tasks, and finds their pages. */
import type { NodeRef } from "../../catalog/identity.ts";
import { OWN_PLATFORM as OPENLINEAGE } from "../openlineage/naming.ts";
import { OWN_PLATFORM, withoutSecrets } from "./asset-uri.ts";
import type { AirflowOptions } from "./options.ts";
import type { AirflowAsset } from "./shapes.ts";

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

export type PageUrls = ReturnType<typeof createPageUrls>;

/**
 * The pages of Airflow's user interface.
 * @param base ends with a slash
 */
export function createPageUrls({ href: base }: URL, { isLegacy }: { isLegacy: boolean }) {
  const of = encodeURIComponent;
  const dag = (id: string): string => `${base}dags/${of(id)}${isLegacy ? "/grid" : ""}`;
  return {
    dag,
    task: (dagId: string, task: string): string => `${dag(dagId)}${isLegacy ? "?task_id=" : "/tasks/"}${of(task)}`,
    asset: ({ id, uri }: Pick<AirflowAsset, "id" | "uri">): string =>
      `${base}${isLegacy ? `datasets?uri=${of(withoutSecrets(uri))}` : `assets/${id}`}`,
  };
}
