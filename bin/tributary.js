#!/usr/bin/env node
// In the language of old, so that an old Node gets far enough to say what to do.
import { spawn } from "child_process";
import { existsSync, readFileSync, realpathSync } from "fs";
import { fileURLToPath } from "url";

const FROM_WHERE = "npm ci brings one on Linux and on Macs with Apple silicon; https://nodejs.org has all others.";

/** npx itself ends at once, so whoever starts the service again right then should find its data folder free. */
const LOOK_FOR_NPX_EVERY_MS = 250;

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const read = (relative) => JSON.parse(readFileSync(path(relative), "utf8"));
const needed = read("../package.json").engines.node.replace(">=", "");
const pinned = path("../node_modules/.bin/node");

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  const [neededMajor, neededMinor] = needed.split(".").map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

/** Runs this very command by the Node that `npm ci` brought, and ends as it ends. */
function handOver() {
  const child = spawn(pinned, [path("./tributary.js"), ...process.argv.slice(2)], { stdio: "inherit" });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    for (const each of signals) process.removeAllListeners(each);
    if (signal === null) process.exit(code);
    else process.kill(process.pid, signal);
  });
}

/**
 * Stops this process in order when npx got SIGTERM. npx runs a command under a shell, and passes the signal on to that
 * shell only. The shell ends and tells nobody, so the command would go on alone and keep the data folder and the port.
 * A process that npx did not start may outlive its parent: whatever starts a daemon ends before it.
 */
function stopWithNpx() {
  if (process.env.npm_lifecycle_event !== "npx") return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_FOR_NPX_EVERY_MS);
  watch.unref();
}

/**
 * Begins a command that runs for long once more, with settings that count only from the beginning of a process; this takes
 * 40 ms. glibc then gives free memory back, instead of keeping blocks of up to 64 MB: at the end of a heap, and each of 32 KiB
 * and more by itself. V8 optimises one function of the SQL parser at a time; four at once take 200 MB. Its space for new
 * objects takes 32 MB instead of 64. It collects garbage when the heap has grown by 60 %, not by up to 300: the end of a
 * collection unmaps every large text that has died since the last one, which kept the event loop for 60 ms.
 */
function beginWithLittleMemory() {
  const isLong = ["serve", "worker"].includes(process.argv[2]);
  const { options, environment } = read("./process.json");
  const isSet = Object.keys(environment).some((name) => process.env[name] !== undefined);
  if (process.platform !== "linux" || !isLong || isSet) return;
  const args = [...options, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, [process.execPath, ...args], { ...process.env, ...environment });
}

/** Runs the command. The sources are compiled once, and again when they change, if this user may write there. */
function start() {
  import("module").then((module) => {
    // Threads find the folder here, and start in a third of the time with it.
    if (!process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = path("../node_modules/.cache/compiled");
    module.enableCompileCache();
    return import("../src/main.ts");
  });
}

function refuse(why) {
  console.error(why);
  process.exit(1);
}

stopWithNpx();
if (!existsSync(path("../node_modules"))) {
  refuse("Tributary is not installed yet: run npm ci first.");
} else if (isNewEnough(process.versions.node)) {
  beginWithLittleMemory();
  start();
} else if (existsSync(pinned) && realpathSync(pinned) !== realpathSync(process.execPath)) {
  handOver();
} else {
  refuse(`Tributary needs Node ${needed} or newer, and this is ${process.versions.node}. ${FROM_WHERE}`);
}
