/** The pages of Airflow's user interface. */
import { withoutSecrets } from "./asset-uri.ts";
import type { AirflowAsset } from "./shapes.ts";

export interface PageUrls {
  dag: (dag: string) => string;
  task: (dag: string, task: string) => string;
  asset: (asset: Pick<AirflowAsset, "id" | "uri">) => string;
}

/** @param base ends with a slash */
export function createPageUrls({ href: base }: URL, { isLegacy }: { isLegacy: boolean }): PageUrls {
  const of = encodeURIComponent;
  if (isLegacy) {
    return {
      dag: (dag) => `${base}dags/${of(dag)}/grid`,
      task: (dag, task) => `${base}dags/${of(dag)}/grid?task_id=${of(task)}`,
      asset: ({ uri }) => `${base}datasets?uri=${of(withoutSecrets(uri))}`,
    };
  }
  return {
    dag: (dag) => `${base}dags/${of(dag)}`,
    task: (dag, task) => `${base}dags/${of(dag)}/tasks/${of(task)}`,
    asset: ({ id }) => `${base}assets/${id}`,
  };
}
