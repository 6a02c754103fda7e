/** Asks the REST API as a client does. */
import type { RunningApp } from "./app.ts";

interface Answer {
  status: number;
  headers: Headers;
  // Tests read bodies of every form.
  body: Json;
}

/** Any JSON, to be read step by step. */
export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

interface Ask {
  method?: string;
  /** Null sends no header at all. */
  authorization?: string | null;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

export type RestClient = (path: string, ask?: Ask) => Promise<Answer>;

/** Asks with the app's token by default; a body is sent as JSON. */
export function createRestClient({ url, token }: Pick<RunningApp, "url" | "token">): RestClient {
  return async (path, { method = "GET", authorization = `Bearer ${token}`, headers = {}, body } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
    };
  };
}

/** The keys of an object, and null for anything else, so that a failed test shows what it got. */
export function keysOf(value: Json): string[] | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : null;
}

/** The value at a path of keys and indexes. */
export function at(value: Json, ...path: (string | number)[]): Json {
  let current = value;
  for (const step of path) current = (current as Record<string | number, Json> | undefined)?.[step];
  return current;
}

/** Keys in their order, written as one string for readability. */
export function words(text: string): string[] {
  return text.split(" ");
}
