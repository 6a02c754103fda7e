/** The types of connectors, and the options that each takes. */
import { z } from "zod";

import type { ConnectorType } from "../connectors/connector.ts";
import { connectorTypes } from "../connectors/registry.ts";
import { objectType, queryField, typed, wordsType } from "./builder.ts";

const CAPABILITIES = ["pull", "compare", "receive"] as const satisfies readonly (keyof ConnectorType)[];

const ConnectorCapability = wordsType<"pull" | "receive" | "compare">(
  "ConnectorCapability",
  "What a connector can do.",
  {
    pull: "It reads its source whenever a sync runs.",
    receive: "It takes what others send to it.",
    compare: "It can tell what a new version of its source would break.",
  },
);

const ConnectorTypeType = objectType<ConnectorType>(
  "ConnectorType",
  "A type of connector: a kind of source that metadata can be read from.",
).with({
  type: typed("String", "Its name, such as `dbt`."),
  description: typed("String", "What it reads, in a sentence."),
  options: {
    ...typed("JSONObject", "The JSON Schema of its options. Every option is text."),
    resolve: ({ options }) => z.toJSONSchema(options, { io: "input", unrepresentable: "any" }),
  },
  capabilities: {
    ...typed([ConnectorCapability], "What connectors of this type can do."),
    resolve: (type) => CAPABILITIES.filter((capability) => type[capability] !== undefined),
  },
  secretOptions: {
    ...typed(["String"], "Names of the options that are kept encrypted and never shown."),
    resolve: ({ secretOptions }) => [...secretOptions],
  },
  pathOptions: {
    ...typed(
      ["String"],
      "Names of the options that may be paths on the server, in a folder that its setting CONNECTOR_FOLDERS permits.",
    ),
    resolve: ({ pathOptions = [] }) => [...pathOptions],
  },
});

queryField("connectorTypes", "read", {
  ...typed([ConnectorTypeType], "The types of connectors that can be added."),
  resolve: () => [...connectorTypes],
});
