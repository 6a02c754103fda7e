/** The instructions of the image's Dockerfile. */
import { readFileSync } from "node:fs";

export interface Instruction {
  /** Such as `RUN`. */
  name: string;
  value: string;
}

/** The instructions of the Dockerfile in their order, continued lines joined. */
export function readDockerfile(): Instruction[] {
  const lines = readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return lines.flatMap((line) => {
    const [, name, value] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}

/** The values of one instruction, such as the commands of all `RUN`. */
export function valuesOf(name: string): string[] {
  return readDockerfile().flatMap((each) => (each.name === name ? [each.value] : []));
}

/** The files and folders that `.dockerignore` lets into the image. */
export function readContext(): string[] {
  const file = readFileSync(new URL("../../.dockerignore", import.meta.url), "utf8");
  return file.split("\n").flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
}
