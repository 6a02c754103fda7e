/** Where the workspace UI's sources are, and where its built files go. */
import { fileURLToPath } from "node:url";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export const PROJECT = path("../../");
export const UI_SOURCES = path("../ui/");
/** Contains a folder for each build, which has the name of its sources' digest. */
export const BUILDS = path("../../dist/ui/");
/** The program that builds. It runs in a process of its own, so that the server does not keep what a build needs. */
export const BUILD_PROGRAM = path("build.ts");
/** Everything that decides what a build yields: files, and folders with all that is in them. */
export const INPUTS: readonly string[] = [UI_SOURCES, path("./"), path("../../package-lock.json")];
/** Files under this folder of a build have a hash of their content in their names. */
export const HASHED_FOLDER = "static";
