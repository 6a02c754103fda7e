/** A resource's configuration: what dbt_project.yml says of its folders, then what its property file says. */
import { z } from "zod";

import type { Config } from "./properties.ts";

const folder = z.record(z.string(), z.unknown());

const settings = z.object({
  "+schema": z.string().optional(),
  "+materialized": z.string().optional(),
  "+group": z.string().optional(),
  "+tags": z.array(z.string()).default([]),
  "+meta": z.record(z.string(), z.unknown()).default({}),
});

/** The nearer word wins; tags and meta add up, as in dbt. */
function merge(outer: Config, inner: Config): Config {
  return {
    ...outer,
    ...inner,
    schema: inner.schema ?? outer.schema,
    materialized: inner.materialized ?? outer.materialized,
    group: inner.group ?? outer.group,
    tags: [...new Set([...outer.tags, ...inner.tags])],
    meta: { ...outer.meta, ...inner.meta },
  };
}

function settingsOf(tree: unknown): Config {
  const found = settings.parse(tree);
  return {
    schema: found["+schema"],
    materialized: found["+materialized"],
    group: found["+group"],
    tags: found["+tags"],
    meta: found["+meta"],
  };
}

/**
 * @param tree the project's settings of the resource type, from dbt_project.yml.
 * @param path the resource's file, such as `models/marts/core/dim_dates.sql`.
 * @param own what the resource's property file says.
 */
export function configOf(tree: unknown, path: string, own: Config): Config {
  let here: unknown = tree;
  let config = settingsOf(here);
  for (const name of path.split("/").slice(1, -1)) {
    const next = folder.parse(here)[name];
    if (next === undefined) break;
    here = next;
    config = merge(config, settingsOf(here));
  }
  return merge(config, own);
}
