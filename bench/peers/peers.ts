/** Other programs that tell the lineage of columns. Each runs in a virtual environment of its own. */
import { execFile } from "node:child_process";
import { join } from "node:path";

import type { Python } from "../../test/support/python.ts";
import type { Project } from "../lineage/project.ts";

export interface Peer {
  name: string;
  /** Pinned, as pip takes them. */
  packages: readonly string[];
  /** Reads a `Question` from stdin, and prints `Answers`. */
  script: string;
  /** Its names of dialects, where they differ from ours. */
  dialects: Readonly<Record<string, string>>;
}

/** By the unique ids of models: what each of its columns is made from, or why it cannot be read. All names are folded. */
export type Answers = Record<string, { columns?: Record<string, string[]>; error?: string }>;

export interface Answered {
  answers: Answers;
  /** Processor time of the whole program, with its start. */
  seconds: number;
}

export const SQLGLOT: Peer = {
  name: "sqlglot",
  packages: ["sqlglot==30.30.0"],
  script: "sqlglot_lineage.py",
  dialects: { postgresql: "postgres" },
};

export const PEERS: readonly Peer[] = [
  SQLGLOT,
  {
    name: "sqllineage",
    packages: ["sqllineage==1.5.9"],
    script: "sqllineage_lineage.py",
    dialects: { postgresql: "postgres" },
  },
  {
    name: "DataHub's parser",
    packages: ["acryl-datahub[sql-parser]==1.7.0.17"],
    script: "datahub_lineage.py",
    dialects: { postgresql: "postgres", tsql: "mssql" },
  },
];

const MAX_OUTPUT = 256 * 2 ** 20;
/** Prints the processor time of a program after its output. */
const TIMED = `import resource, subprocess, sys
code = subprocess.run([sys.executable, *sys.argv[1:]]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("\\n" + str(used.ru_utime + used.ru_stime))
sys.exit(code)`;

/** Asks for all models of a project that have SQL. */
export async function askPeer(peer: Peer, python: Python, { relations, dialect }: Project): Promise<Answered> {
  const all = [...relations.values()];
  const models = all.filter(({ sql }) => sql !== "").map(({ uniqueId: id, sql }) => ({ id, sql }));
  const question = { dialect: peer.dialects[dialect] ?? dialect, relations: all, models };
  const args = ["-c", TIMED, join(import.meta.dirname, peer.script)];
  const printed = await new Promise<string>((resolve, reject) => {
    const child = execFile(python.program("python"), args, { maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${peer.name}: ${stderr.slice(-2_000)}`)),
    );
    child.stdin?.end(JSON.stringify(question));
  });
  const end = printed.lastIndexOf("\n", printed.trimEnd().length - 1);
  return { answers: JSON.parse(printed.slice(0, end)) as Answers, seconds: Number(printed.slice(end)) };
}
