/** What the sink `datahub-rest` of DataHub's ingestion asks for. */
import { z } from "zod";

import type { Endpoint } from "../endpoint.ts";
import { DATAHUB_PREFIX } from "../paths.ts";

const OK = { description: "OK.", schema: z.looseObject({}) };
/** What cannot be read is taken too, and told at the connector. */
const body = { schema: z.unknown() };
const ENTITIES = `${DATAHUB_PREFIX}/openapi/v3/entity/:type`;
const parameters = { type: "The type of the entities, such as `dataset`." };
const URN = "The urn of the entity.";
const NOT_READ =
  "Always answers 404, which clients of DataHub take for an entity without aspects. Only parts of aspects are kept, and " +
  "who reads one, changes it and sends it back would lose the other parts. What is known is an asset of the catalog.";
const list = z.array(z.looseObject({}));
const LIST = { 200: { description: "OK.", schema: list } };
const OURS = { tag: "Connectors", access: "write" } as const;
const UNREAD = { ...OURS, description: NOT_READ, absent: true, answers: {} } as const;

export const DATAHUB_ENDPOINTS = {
  readDatahubConfig: {
    method: "GET",
    path: `${DATAHUB_PREFIX}/config`,
    trailingSlash: true,
    summary: "Ask what the sink may send",
    description: "The handshake of DataHub's clients. `server` of a recipe's sink is the path before `/config`.",
    ...OURS,
    answers: { 200: OK },
  },
  sendDatahubAspects: {
    method: "POST",
    path: `${DATAHUB_PREFIX}/aspects`,
    // As the command line of DataHub asks.
    trailingSlash: true,
    choice: {
      name: "action",
      description: "What is asked.",
      words: ["ingestProposal", "ingestProposalBatch", "getTimeseriesAspectValues"],
    },
    summary: "Send metadata change proposals",
    description:
      "With `action=ingestProposal` or `ingestProposalBatch`, takes what a recipe of DataHub found. What is not kept is " +
      "accepted and told at the connector. With `getTimeseriesAspectValues`, answers the checkpoints that a recipe left.",
    ...OURS,
    body,
    answers: { 200: OK },
  },
  sendDatahubEntities: {
    method: "POST",
    path: `${DATAHUB_PREFIX}/entities`,
    choice: { name: "action", description: "What is asked.", words: ["ingest", "ingestBatch", "delete", "search"] },
    summary: "Send an older metadata change event, remove an entity, or find a domain",
    description:
      "With `action=ingest` or `ingestBatch`, takes snapshots of entities, as older sources of DataHub send them. With `action=delete`, " +
      "removes the entity whose `urn` the body has from what every recipe said. With `action=search`, answers the urn of a " +
      "domain or a term with a name, and nothing to any other search.",
    ...OURS,
    body,
    answers: { 200: OK },
  },
  sendDatahubUsage: {
    method: "POST",
    path: `${DATAHUB_PREFIX}/usageStats`,
    choice: { name: "action", description: "What is asked.", words: ["batchIngest"] },
    summary: "Send usage of datasets in the older form",
    description: "Takes how much datasets were used in a period, as the aspect `datasetUsageStatistics` tells it.",
    ...OURS,
    body,
    answers: { 200: OK },
  },
  sendDatahubEvent: {
    method: "POST",
    path: `${DATAHUB_PREFIX}/platform`,
    choice: { name: "action", description: "What is asked.", words: ["producePlatformEvent"] },
    summary: "Send an event of DataHub's platform",
    description: "The event is accepted and not kept. The connector tells how many kinds came.",
    ...OURS,
    body,
    answers: { 200: OK },
  },
  sendDatahubEntitiesByType: {
    method: "POST",
    path: ENTITIES,
    parameters,
    summary: "Send aspects of entities of one type",
    description: "The form of DataHub's OpenAPI: a list of entities, each a `urn` and its aspects by their names.",
    ...OURS,
    body,
    answers: LIST,
  },
  patchDatahubEntitiesByType: {
    method: "PATCH",
    path: ENTITIES,
    parameters,
    summary: "Send changes of aspects of entities of one type",
    description: "The form of DataHub's OpenAPI: as `POST`, with a `patch` in place of each value.",
    ...OURS,
    body,
    answers: LIST,
  },
  removeDatahubEntity: {
    method: "DELETE",
    path: `${ENTITIES}/:urn`,
    parameters: { ...parameters, urn: URN },
    summary: "Remove an entity",
    description: "Removes the entity from what every recipe said. A recipe that finds it again brings it back.",
    ...OURS,
    answers: { 200: OK },
  },
  readDatahubAspect: {
    method: "GET",
    path: `${DATAHUB_PREFIX}/aspects/:urn`,
    parameters: { urn: URN },
    summary: "Ask for one aspect of an entity",
    ...UNREAD,
  },
  readDatahubEntityAspects: {
    method: "GET",
    path: `${DATAHUB_PREFIX}/entitiesV2/:urn`,
    parameters: { urn: URN },
    summary: "Ask for the aspects of an entity, in the older form",
    ...UNREAD,
  },
  readDatahubEntity: {
    method: "GET",
    path: `${ENTITIES}/:urn`,
    parameters: { ...parameters, urn: URN },
    summary: "Ask for the aspects of an entity",
    ...UNREAD,
  },
  findDatahubEntities: {
    method: "GET",
    path: ENTITIES,
    parameters,
    summary: "Look for what other recipes sent",
    description: "Answers that there is nothing: recipes read back only their checkpoints.",
    ...OURS,
    answers: { 200: OK },
  },
  readDatahubEntities: {
    method: "POST",
    path: `${ENTITIES}/batchGet`,
    parameters,
    summary: "Ask for aspects that other recipes sent",
    description: "Answers that there are none: recipes read back only their checkpoints.",
    ...OURS,
    body: { schema: list },
    answers: LIST,
  },
} as const satisfies Record<string, Endpoint>;
