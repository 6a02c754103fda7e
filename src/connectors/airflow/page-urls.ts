/** The pages of Airflow's user interface. */
import { withoutSecrets } from "./asset-uri.ts";
import type { AirflowAsset } from "./shapes.ts";

export type PageUrls = ReturnType<typeof createPageUrls>;

/** @param base ends with a slash */
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
