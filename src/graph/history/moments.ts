/**
 * The moments of a workspace's history. They are numbers from 1 in the order of writing, and their times never go back,
 * so what was shown at a time is found by comparing numbers. A moment is everything that one author wrote at one time,
 * until another author wrote.
 */
import { PEOPLE } from "../../catalog/layers.ts";
import type { ConnectorId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";

/** Who changes something, and when. */
export interface Author {
  /** ISO 8601, UTC. */
  at: string;
  /** `PEOPLE` for a person. */
  connectorId: ConnectorId;
  /** "" if no sync wrote it: for a person, and for what others send, which is told bit by bit and has no first sync. */
  syncId: string;
  /** The person, or the part of the service; "" for a crawl. */
  actor: string;
}

/** Who wrote what has this number, and when. */
export interface Moment extends Author {
  number: number;
  /** Whether it belongs to the first sync of its connector, before which the connector had stated nothing. */
  isFirst: boolean;
}

/** Which moments to list. Times are inclusive. */
export interface MomentSpan {
  since: string;
  until: string;
  before: number;
  limit: number;
}

export function authorOf({ at, connectorId, syncId, actor = "", runsByScope = false }: CrawlStamp): Author {
  return { at, connectorId, syncId: connectorId === PEOPLE || runsByScope ? "" : syncId, actor };
}

export function personAt(actor: string, at: string): Author {
  return { at, connectorId: PEOPLE, syncId: "", actor };
}

/** @returns `last` itself if the author goes on with it; a new one is not a first one until the engine says so */
export function nextMoment(last: Moment | null, author: Author): Moment {
  if (last === null) return { ...author, number: 1, isFirst: false };
  const isSame =
    last.connectorId === author.connectorId && last.syncId === author.syncId && last.actor === author.actor;
  if (isSame && author.at <= last.at) return last;
  return { ...author, number: last.number + 1, at: author.at > last.at ? author.at : last.at, isFirst: false };
}
