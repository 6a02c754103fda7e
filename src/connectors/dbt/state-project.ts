/** States the contents of a project: relations while they are read, then metrics and exposures, then all edges and checks. */
import type { CrawlEvent } from "../connector.ts";
import { isCheck, ProjectChecks } from "./checks.ts";
import { stateExposures } from "./exposures.ts";
import type { Input } from "./input.ts";
import { stateMetrics } from "./metrics.ts";
import type { Pause } from "../pacing.ts";
import { ProjectGraph } from "./project-graph.ts";
import { readMembers, type ReadOptions, type Wanted } from "./read-members.ts";
import type { Project } from "./read-project.ts";
import { isRelation } from "./relation-ref.ts";
import { stateRelation } from "./relations.ts";

const isStated: Wanted = (section, key) => isRelation(section, key) || isCheck(section, key);

export async function* stateProject(
  manifest: Input,
  project: Project,
  reading: ReadOptions,
): AsyncGenerator<CrawlEvent | Pause> {
  const { survey } = project;
  const graph = new ProjectGraph(survey.shared);
  const checks = new ProjectChecks();
  for await (const member of readMembers(manifest, isStated, reading)) {
    yield* checks.add(member);
    yield null;
    if (isRelation(member.section, member.key)) yield* stateRelation(member, project, graph);
  }
  yield* graph.stateShared();
  yield* stateMetrics(survey, graph);
  yield* stateExposures(survey, graph);
  yield* graph.edges();
  yield* checks.state(graph, project.results);
}
