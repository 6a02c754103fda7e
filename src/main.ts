/** The process: runs the command line, and ends with its exit code. */
import { runCommandLine } from "./cli/program.ts";

// Only this user may read the files of the data folder.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2));
