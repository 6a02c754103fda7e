/** The process: runs the command line, and ends with its exit code. */
import { runCommandLine } from "./cli/program.ts";

process.exitCode = await runCommandLine(process.argv.slice(2));
