/** Makes a workspace from an export. The stores must not have a workspace of this name. */
import { COPY_PARTS } from "../graph/graph-copy.ts";
import { RECORD_PARTS } from "../metadata/copied-tables.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { checkFile, readRows } from "./file.ts";
import type { TransferStores } from "./export-workspace.ts";
import type { RowsLine } from "./shapes.ts";

/**
 * Reads the whole file first. An interrupted import can be repeated: rows that are already written stay as they are.
 * Nobody can find the workspace before the import is complete.
 * @throws AppError `bad_request` if the file is damaged; `conflict` if there is a workspace of that name, or a part of
 *   another export
 */
export async function importWorkspace(
  { metadata, graph }: TransferStores & { metadata: Pick<MetadataStore, "copier" | "audit"> },
  path: string,
) {
  const { header, end } = await checkFile(path);
  const { workspace } = header;
  await metadata.copier.begin(workspace, end.sha256.slice(0, 16));
  /** How many edges and references were left out, because one of their ends was not in the export. */
  let refused = 0;
  for await (const line of readRows(path)) refused += await write(line);
  const { createdAt, version } = header;
  const imported = {
    workspaceId: workspace.id,
    action: "workspace_imported",
    actor: "command line",
    source: "command line",
    subject: workspace.id,
    details: { createdAt, version },
  } as const;
  // Before the end: by this event, the start knows that the workspace is not new.
  await metadata.audit.append(imported, `workspace_imported ${end.sha256}`);
  await metadata.copier.end(workspace);
  return { workspace: workspace.name, rows: end.rows, refused, left: header.left };

  async function write({ part, rows }: RowsLine): Promise<number> {
    const recordPart = RECORD_PARTS.find((each) => each === part);
    const graphPart = COPY_PARTS.find((each) => each === part);
    // `parseRows` has checked that the rows are those of the part.
    if (graphPart !== undefined) return graph.copyIn(workspace.id, graphPart, rows as never);
    if (recordPart !== undefined) await metadata.copier.copyIn(workspace.id, recordPart, rows as never);
    return 0;
  }
}
