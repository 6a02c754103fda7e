/** The process: runs the command line, and ends with its exit code. */
import { runCommandLine } from "./cli/program.ts";

// What the data folder holds is for this user's eyes alone.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2));
