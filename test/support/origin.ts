/** The origin of a change by a person of any name. */
import { fromCommandLine, type Origin } from "../../src/auth/origin.ts";
import type { User, Workspace } from "../../src/metadata/records.ts";

export function originAs(workspace: Workspace, user: User, name: string): Origin {
  const origin = fromCommandLine(workspace, user);
  return { ...origin, actor: { ...origin.actor, name } };
}
