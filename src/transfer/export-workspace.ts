/** Writes a workspace to a file. An import makes the workspace from it in other stores. */
import packageJson from "../../package.json" with { type: "json" };
import { AppError } from "../errors.ts";
import { COPY_PARTS, type CopyableGraph, type CopyPart } from "../graph/graph-copy.ts";
import type { WorkspaceId } from "../ids.ts";
import { RECORD_PARTS } from "../metadata/copied-tables.ts";
import type { SecretsLeft } from "../metadata/copy.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { writeFile } from "./file.ts";
import { FORMAT, type Header, type RowsLine } from "./shapes.ts";

/** Rows that are read at once. */
const PAGE = 200;

export interface TransferStores {
  metadata: Pick<MetadataStore, "copier">;
  graph: CopyableGraph;
}

/** @returns how many rows of each part were written, and the secrets that stay behind */
export async function exportWorkspace(
  stores: TransferStores,
  name: string,
  path: string,
  now: Date,
): Promise<{ rows: Record<string, number>; left: SecretsLeft }> {
  const { copier } = stores.metadata;
  const workspace = await copier.findWorkspace(name);
  if (workspace === null) throw new AppError("not_found", `There is no workspace ${name}.`);
  const left = await copier.listSecrets(workspace.id);
  const { version } = packageJson;
  const header: Header = {
    tributary: "export",
    format: FORMAT,
    version,
    createdAt: now.toISOString(),
    workspace,
    left,
  };
  const { rows } = await writeFile(path, header, readAll(stores, workspace.id));
  return { rows, left };
}

async function* readAll({ metadata, graph }: TransferStores, workspace: WorkspaceId): AsyncGenerator<RowsLine> {
  for (const part of RECORD_PARTS) {
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof metadata.copier.copyOut>> = await metadata.copier.copyOut(workspace, part, {
        after,
        limit: PAGE,
      });
      if (page.rows.length > 0) yield { part, rows: page.rows };
      after = page.next;
    } while (after !== null);
  }
  for (const part of COPY_PARTS) yield* readPart(graph, workspace, part);
}

async function* readPart<P extends CopyPart>(
  graph: CopyableGraph,
  workspace: WorkspaceId,
  part: P,
): AsyncGenerator<RowsLine> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof graph.copyOut<P>>> = await graph.copyOut(workspace, part, {
      after,
      limit: PAGE,
    });
    // The rows are those of the part.
    if (page.rows.length > 0) yield { part, rows: page.rows } as unknown as RowsLine;
    after = page.next;
  } while (after !== null);
}
