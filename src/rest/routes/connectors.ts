/** Connectors: their status, and starting a crawl. */
import { z } from "zod";

import { SYNC_MODES } from "../../catalog/crawl.ts";
import { connectorPage, connectorStatus, sync } from "../openapi/examples.ts";
import { connectorName, cursor, id, limit } from "../parameters.ts";
import { API_PREFIX } from "../../http/paths.ts";
import type { Route } from "../route.ts";

const connector_id = id("The connector's id.", connectorStatus.connector_id);

const mode = z.enum(SYNC_MODES).optional().meta({
  description:
    "Read everything, or only what changed. The first run is always full. After it, the default is incremental.",
});

export const connectorRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${API_PREFIX}/connectors`,
    tag: "Connectors",
    summary: "List connectors",
    description: "The workspace's connectors in the order of their names, each with its status.",
    operation: "ListConnectors",
    input: { query: { name: connectorName, limit, cursor } },
    status: 200,
    example: connectorPage,
  },
  {
    method: "GET",
    path: `${API_PREFIX}/connectors/:connector_id`,
    tag: "Connectors",
    summary: "Get a connector",
    description: "One connector with its status, as the list has it. By its name: `GET /connectors?name=…`.",
    operation: "GetConnector",
    input: { path: { connector_id } },
    absent: { noun: "connector", namedBy: "connector_id" },
    status: 200,
    exampleSubject: "A connector of yours: replace this id by one from the list of connectors.",
    example: connectorPage.data[0],
  },
  {
    method: "POST",
    path: `${API_PREFIX}/connectors/:connector_id/sync`,
    tag: "Connectors",
    summary: "Trigger a sync",
    description:
      "Queues a sync of the connector. A second request within five minutes answers the same sync with its present status, " +
      "unless that sync failed or was cancelled. The body is optional.",
    operation: "TriggerSync",
    input: { path: { connector_id }, body: { mode } },
    absent: { noun: "connector", namedBy: "connector_id" },
    conflicts: true,
    status: 202,
    exampleSubject: "A connector of yours: replace this id by one from the list of connectors.",
    example: sync,
  },
  {
    method: "GET",
    path: `${API_PREFIX}/connectors/:connector_id/status`,
    tag: "Connectors",
    summary: "Get a connector's status",
    description:
      "The connector's health and its newest sync. After triggering a sync, poll until `last_sync.status` is " +
      "`completed`. A run with some errors is completed too, and lists them.",
    operation: "GetConnectorStatus",
    input: { path: { connector_id } },
    absent: { noun: "connector", namedBy: "connector_id" },
    status: 200,
    exampleSubject: "A connector of yours: replace this id by one from the list of connectors.",
    example: connectorStatus,
  },
];
