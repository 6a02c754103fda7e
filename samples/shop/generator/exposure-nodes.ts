/** The manifest's nodes for exposures and for the groups that own models. */
import { parseCall } from "./jinja.ts";
import { CREATED_AT, PROJECT, fullName, paths, uniqueId } from "./names.ts";
import type { Exposure, Group, Owner } from "./properties.ts";
import type { Described } from "./read-project.ts";
import type { Relations } from "./relations.ts";

function ownerOf({ name, email }: Owner) {
  return { email: email ?? null, name };
}

export function exposureNode({ properties: exposure, path }: Described<Exposure>, relations: Relations) {
  const calls = exposure.depends_on.map(parseCall);
  const of = (name: string) => calls.filter((call) => call.name === name);
  const { tags, meta } = exposure.config;
  return {
    name: exposure.name,
    resource_type: "exposure",
    package_name: PROJECT,
    ...paths(path),
    unique_id: uniqueId("exposure", exposure.name),
    fqn: fullName(path, exposure.name),
    type: exposure.type,
    owner: ownerOf(exposure.owner),
    description: exposure.description,
    label: exposure.label,
    maturity: exposure.maturity,
    meta,
    tags,
    config: { enabled: true, tags, meta },
    unrendered_config: exposure.config,
    url: exposure.url,
    depends_on: {
      macros: [],
      nodes: calls.map((call) =>
        call.name === "metric" ? uniqueId("metric", ...call.arguments) : relations.get(call).uniqueId,
      ),
    },
    refs: of("ref").map((call) => ({ name: call.arguments[0], package: null, version: null })),
    sources: of("source").map((call) => call.arguments),
    metrics: of("metric").map((call) => call.arguments),
    created_at: CREATED_AT,
  };
}

export function groupNode({ properties: group, path }: Described<Group>) {
  return {
    name: group.name,
    resource_type: "group",
    package_name: PROJECT,
    ...paths(path),
    unique_id: uniqueId("group", group.name),
    owner: ownerOf(group.owner),
  };
}
