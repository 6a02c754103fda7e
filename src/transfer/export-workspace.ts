/** Writes a workspace to a file. An import makes the workspace from it in other stores. */
import packageJson from "../../package.json" with { type: "json" };
import { AppError } from "../errors.ts";
import { COPY_PARTS, type CopyableGraph, type CopyPart, type CopyRows } from "../graph/graph-copy.ts";
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

/**
 * @returns how many rows of each part were written, and the secrets that stay behind
 * @throws AppError `not_found`, `conflict` if the file would not have every row, and the errors of `writeFile`
 */
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

async function* readAll({ metadata: { copier }, graph }: TransferStores, id: WorkspaceId): AsyncGenerator<RowsLine> {
  for (const part of RECORD_PARTS) {
    const pages = readPages(
      part,
      (page) => copier.copyOut(id, part, page),
      () => copier.countRows(id, part),
    );
    for await (const rows of pages) yield { part, rows };
  }
  for (const part of COPY_PARTS) {
    const pages = readPages<CopyRows[CopyPart]>(
      part,
      (page) => graph.copyOut(id, part, page),
      () => graph.countRows(id, part),
    );
    // The rows are those of the part.
    for await (const rows of pages) yield { part, rows } as RowsLine;
  }
}

/**
 * The rows of a part, page by page.
 * @throws AppError `conflict` at the end if the store holds more or fewer
 */
async function* readPages<Row>(
  part: string,
  readPage: (page: { after: string | null; limit: number }) => Promise<{ rows: Row[]; next: string | null }>,
  count: () => Promise<number>,
): AsyncGenerator<Row[]> {
  let amount = 0;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage({ after, limit: PAGE });
    if (page.rows.length > 0) yield page.rows;
    amount += page.rows.length;
    after = page.next;
  } while (after !== null);
  const held = await count();
  if (amount === held) return;
  throw new AppError(
    "conflict",
    `The export would not be whole: it has ${amount} rows of ${part}, and the store holds ${held}. If the workspace ` +
      "changed meanwhile, let nothing sync and nobody edit, and export it again. Else please report this as a fault.",
  );
}
