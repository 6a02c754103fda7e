import type { CauseQuery, Causes } from "../../catalog/causes/cause.ts";
import type { WorkspaceId } from "../../ids.ts";

export interface CausesReader {
  /**
   * Why the value of a node may have changed within a span. Null if the node did not exist in it.
   * @throws AppError `bad_request` if history begins after `since`, or if more rows must be read than the caller may read
   */
  findCauses(workspace: WorkspaceId, query: CauseQuery): Promise<Causes | null>;
}
