/** The scripts that run in Valkey. Each decides in one step, so nothing comes between its reads and its writes. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Lua that returns the present time in milliseconds. */
export type TimeSource = string;

/** The server's own clock, so that the clocks of those who ask do not matter. */
export const SERVER_TIME: TimeSource = `
  local seconds, microseconds = unpack(redis.call("TIME"))
  return seconds * 1000 + math.floor(microseconds / 1000)`;

export interface Script {
  lua: string;
  /** Under this digest the server knows a script that it ran before. */
  sha1: string;
}

/** @param name a file in `scripts/`, which calls `now()` for the time */
export function loadScript(name: string, timeSource: TimeSource): Script {
  const body = readFileSync(new URL(`scripts/${name}.lua`, import.meta.url), "utf8");
  const lua = `local function now()${timeSource}\nend\n${body}`;
  return { lua, sha1: hash("sha1", lua) };
}
