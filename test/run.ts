/**
 * `npm test`: runs `npm run check` and the fast tests at the same time, and fails if either fails. What the check
 * prints is shown when the tests are done. Arguments go to vitest: `npm test -- test/unit/ids.test.ts`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const check = spawn("npm", ["run", "--silent", "check"], { stdio: ["ignore", "pipe", "pipe"] });
const printed: Buffer[] = [];
check.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
check.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
const vitest = ["run", "--project", "fast", ...process.argv.slice(2)];
const tests = spawn("vitest", vitest, { stdio: "inherit" });

const [checkPasses, testsPass] = await Promise.all([passes(check), passes(tests)]);
process.stdout.write(Buffer.concat(printed));
console.log(`npm run check ${outcome(checkPasses)}; the fast tests ${outcome(testsPass)}`);
process.exitCode = checkPasses && testsPass ? 0 : 1;

async function passes(child: ChildProcess): Promise<boolean> {
  const [code]: (number | null)[] = await once(child, "close");
  return code === 0;
}

function outcome(passed: boolean): string {
  return passed ? "passed" : "FAILED";
}
