/** What one item of the exam is: a question, what a right answer cites and says, and why that is so. */

/** An asset's or a metric's fully qualified name in the sample; no two nodes of it share one. */
export type Fqn = `shop.${string}`;

/** Which nodes a fact is about: those that meet all of it. */
export interface Selection {
  type?: "table" | "model" | "dashboard" | "pipeline" | "column" | "metric";
  /** An e-mail address, or the name of an owner without one; empty for nobody. */
  owner?: string;
  tag?: string;
  certification?: "certified" | "pending" | "deprecated" | "none";
  certifiedBy?: string;
  /** Whose fully qualified name begins so. */
  under?: Fqn;
  /** Its own name. */
  name?: string;
  /** A column's table or model. */
  columnOf?: Fqn;
  /** What stands one hop upstream of it. */
  feeds?: Fqn;
  /** What stands one hop downstream of it. */
  uses?: Fqn;
  /** What stands downstream of it, however far. */
  dependsOn?: Fqn;
  described?: boolean;
}

/** Something that is true of the sample, checked against the service by `test/integration/agent-questions.test.ts`. */
export type Fact =
  | readonly ["owner", Fqn, string]
  | readonly ["certification", Fqn, string]
  | readonly ["certified by", Fqn, string]
  /** The day of it, as YYYY-MM-DD. */
  | readonly ["certified on", Fqn, string]
  /** One hop. */
  | readonly ["feeds", Fqn, Fqn]
  /** However far. */
  | readonly ["reaches", Fqn, Fqn]
  | readonly ["never reaches", Fqn, Fqn]
  /** From, by, to: every shortest path goes by it. */
  | readonly ["shortest path", Fqn, Fqn, Fqn]
  /** Its description, definition or SQL holds the text, whatever the case. */
  | readonly ["says", Fqn, string]
  | readonly ["data type", Fqn, string]
  /** The selection is these, no more and no fewer. */
  | readonly ["all", Selection, readonly Fqn[]]
  | readonly ["count", Selection, number]
  /** A field of the connector's newest sync, or of the connector itself. */
  | readonly ["sync", "status" | "assetsDiscovered" | "errorsTotal", string | number]
  | readonly ["connector", "health" | "schedule", string | null];

/** What the question is asked about; the bench sends ids in place of the names. */
export interface Context {
  asset_ids?: readonly Fqn[];
  tags?: readonly string[];
  workspace_area?: string;
}

/** How the question names its subject: as the catalog does, almost so, or as people speak of it. */
export type Wording = "exact" | "near" | "own words";

export interface Answerable {
  question: string;
  wording: Wording;
  context?: Context;
  /** Nodes that a right answer cites; of those in a list, any will do. Others may be cited too. */
  cites: readonly (Fqn | readonly Fqn[])[];
  /** What the text of a right answer says: one alternative of each list. */
  states: readonly (readonly string[])[];
  /** Why that is so. */
  because: readonly Fact[];
}

export interface Unanswerable {
  question: string;
  context?: Context;
  /** The catalog cannot know it, or an answer may not do it. */
  declined: true;
}
