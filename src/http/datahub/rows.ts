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

export const DATAHUB_ENDPOINTS = {
  readDatahubConfig: {
    method: "GET",
    path: `${DATAHUB_PREFIX}/config`,
    tag: "Connectors",
    summary: "Ask what the sink may send",
    description: "The handshake of DataHub's clients. `server` of a recipe's sink is the path before `/config`.",
    access: "write",
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
    tag: "Connectors",
    summary: "Send metadata change proposals",
    description:
      "With `action=ingestProposal` or `ingestProposalBatch`, takes what a recipe of DataHub found. What is not kept is " +
      "accepted and told at the connector. With `getTimeseriesAspectValues`, answers the checkpoints that a recipe left.",
    access: "write",
    body,
    answers: { 200: OK },
  },
  sendDatahubEntities: {
    method: "POST",
    path: `${DATAHUB_PREFIX}/entities`,
    choice: { name: "action", description: "What is asked.", words: ["ingest", "delete"] },
    tag: "Connectors",
    summary: "Send an older metadata change event, or remove an entity",
    description:
      "With `action=ingest`, takes a snapshot of one entity, as older sources of DataHub send it. With `action=delete`, " +
      "removes the entity whose `urn` the body has from what every recipe said.",
    access: "write",
    body,
    answers: { 200: OK },
  },
  sendDatahubEntitiesByType: {
    method: "POST",
    path: ENTITIES,
    parameters,
    tag: "Connectors",
    summary: "Send aspects of entities of one type",
    description: "The form of DataHub's OpenAPI: a list of entities, each a `urn` and its aspects by their names.",
    access: "write",
    body,
    answers: { 200: { description: "OK.", schema: list } },
  },
  patchDatahubEntitiesByType: {
    method: "PATCH",
    path: ENTITIES,
    parameters,
    tag: "Connectors",
    summary: "Send changes of aspects of entities of one type",
    description: "The form of DataHub's OpenAPI: as `POST`, with a `patch` in place of each value.",
    access: "write",
    body,
    answers: { 200: { description: "OK.", schema: list } },
  },
  removeDatahubEntity: {
    method: "DELETE",
    path: `${ENTITIES}/:urn`,
    parameters: { ...parameters, urn: URN },
    tag: "Connectors",
    summary: "Remove an entity",
    description: "Removes the entity from what every recipe said. A recipe that finds it again brings it back.",
    access: "write",
    answers: { 200: OK },
  },
  readDatahubAspect: {
    method: "GET",
    path: `${DATAHUB_PREFIX}/aspects/:urn`,
    parameters: { urn: URN },
    tag: "Connectors",
    summary: "Ask for one aspect of an entity",
    description: NOT_READ,
    access: "write",
    absent: true,
    answers: {},
  },
  readDatahubEntityAspects: {
    method: "GET",
    path: `${DATAHUB_PREFIX}/entitiesV2/:urn`,
    parameters: { urn: URN },
    tag: "Connectors",
    summary: "Ask for the aspects of an entity, in the older form",
    description: NOT_READ,
    access: "write",
    absent: true,
    answers: {},
  },
  readDatahubEntity: {
    method: "GET",
    path: `${ENTITIES}/:urn`,
    parameters: { ...parameters, urn: URN },
    tag: "Connectors",
    summary: "Ask for the aspects of an entity",
    description: NOT_READ,
    access: "write",
    absent: true,
    answers: {},
  },
  findDatahubEntities: {
    method: "GET",
    path: ENTITIES,
    parameters,
    tag: "Connectors",
    summary: "Look for what other recipes sent",
    description: "Answers that there is nothing: recipes read back only their checkpoints.",
    access: "write",
    answers: { 200: OK },
  },
  readDatahubEntities: {
    method: "POST",
    path: `${ENTITIES}/batchGet`,
    parameters,
    tag: "Connectors",
    summary: "Ask for aspects that other recipes sent",
    description: "Answers that there are none: recipes read back only their checkpoints.",
    access: "write",
    body: { schema: list },
    answers: { 200: { description: "OK.", schema: list } },
  },
} as const satisfies Record<string, Endpoint>;
