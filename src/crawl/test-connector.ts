/** Looks at a source without writing anything, so that a typo is told before the first crawl. */
import type { SourceFinding } from "../connectors/connector.ts";
import { badField, notFound } from "../errors.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { FindConnectorType } from "./connector-types.ts";
import { changeOptions, checkOptions, getConnectorType, type OptionsChange } from "./connector-options.ts";

/** A connector that is there, one that is not yet, or one that is there with other options. */
export interface TestRequest {
  workspaceId: string;
  /** The connector's id; undefined where there is none yet. */
  id?: string | undefined;
  /** Needed where there is no id. */
  type?: string | undefined;
  options: OptionsChange;
}

/**
 * @returns what is wrong with the source; [] where a crawl can read it
 * @throws AppError `bad_request` for options that the type does not take, `not_found` for an unknown connector
 */
export async function testConnector(
  { store, findConnectorType }: { store: MetadataStore; findConnectorType: FindConnectorType },
  { workspaceId, id, type: typeName, options: change }: TestRequest,
  signal: AbortSignal,
): Promise<SourceFinding[]> {
  if ((id === undefined) === (typeName === undefined)) throw badField("id", "give either id or type");
  const connector = id === undefined ? null : await store.connectors.findById(workspaceId, id);
  if (id !== undefined && connector === null) throw notFound("connector", id);
  const type = getConnectorType(findConnectorType, connector?.type ?? typeName ?? "");
  const { parsed } = await checkOptions(type, changeOptions(type, connector ?? { options: {} }, change));
  return type.test(parsed, signal);
}
