/** Turns what a connector states of an asset into nodes of the graph: its own and its columns'. */
import { columnRef, nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import { type AssetStatement, toFacts } from "../catalog/statement.ts";
import { fold, isStorableName } from "../catalog/text.ts";
import type { CrawlError } from "../connectors/connector.ts";
import type { NodeWrite } from "../graph/catalog-graph.ts";
import type { AssetLineage } from "./column-lineage.ts";
import { isName, MAX_NAME_CHARACTERS, soundFacts } from "./sound-facts.ts";

/** A database, a schema and a table have three. */
const MAX_PARTS = 16;

/** What is known of where an asset's columns, by their folded names, come from. */
type StatedLineage = Pick<AssetLineage, "own" | "columns">;

export interface ExpandedAsset {
  /** The asset's own node first; none where the asset was left out. */
  nodes: NodeWrite[];
  errors: CrawlError[];
  /** False where the asset or one of its columns was left out. */
  whole: boolean;
}

/**
 * @param workspace the workspace's name, which ids are made of
 * @param lineage what the asset's SQL says of its columns; null where there is no SQL
 */
export function expandAsset(
  workspace: string,
  statement: AssetStatement,
  lineage: StatedLineage | null,
): ExpandedAsset {
  const { ref, name, facts, columns } = statement;
  const object = toFqn(ref);
  if (!isSound(statement)) {
    return { nodes: [], errors: [badName(ref.type, object)], whole: false };
  }
  const errors: CrawlError[] = [];
  const parentId = nodeId(workspace, ref);
  const columnNames: string[] = [];
  const nodes: NodeWrite[] = [];
  for (const [ordinal, column] of columns.entries()) {
    const own = columnRef(ref, column.name);
    const fqn = toFqn(own);
    if (!isName(column.name)) {
      errors.push(badName("column", fqn));
      continue;
    }
    columnNames.push(column.name);
    nodes.push({
      id: nodeId(workspace, own),
      type: "column",
      platform: ref.platform,
      parentId,
      facts: soundFacts(
        toFacts({ ...column, fqn, ordinal, columnLineage: lineage?.columns.get(fold(column.name)) ?? null }),
        fqn,
        errors,
      ),
    });
  }
  const whole = columnNames.length === columns.length;
  nodes.unshift({
    id: parentId,
    type: ref.type,
    platform: ref.platform,
    parentId: null,
    facts: soundFacts(
      toFacts({ ...facts, name, fqn: object, columnNames, columnLineage: lineage?.own ?? null }),
      object,
      errors,
    ),
  });
  return { nodes, errors, whole };
}

/** Whether the asset itself can be written, whatever its columns are. */
export function isSound({ ref, name }: AssetStatement): boolean {
  return isSoundRef(ref) && isName(name);
}

function isSoundRef({ platform, instance, parts }: NodeRef): boolean {
  const isPlaced = isName(platform) && isStorableName(instance) && instance.length <= MAX_NAME_CHARACTERS;
  return isPlaced && parts.length > 0 && parts.length <= MAX_PARTS && parts.every(isName);
}

function badName(noun: string, object: string): CrawlError {
  return {
    code: "invalid_name",
    message: `This ${noun} was left out: a name must be 1 to ${MAX_NAME_CHARACTERS} characters of sound Unicode, without control characters.`,
    object,
    stage: "write",
    severity: "error",
    retryable: false,
  };
}
