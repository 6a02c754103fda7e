/** Claims of what something is: its type, how it is certified and by whom, and who owns it. */
import type { CatalogNode, NodeType } from "../../../catalog/asset.ts";
import { fold } from "../../../catalog/text.ts";
import { typesOf } from "../../understand/vocabulary.ts";
import { type Claim, type Clause, findMatches, objectsAfter, subjectsAt } from "./clause.ts";
import type { Ground } from "./ground.ts";

/** Words for types that are no verbs as well. */
export const TYPE_WORD =
  "(?:tables?|models?|datasets?|views?|seeds?|snapshots?|metrics?|kpis?|dashboards?|reports?|notebooks?|pipelines?|columns?|fields?)";
const STANDING = "(?:certified|uncertified|pending|deprecated)";

export function checkTypes(clause: Clause): Claim[] {
  const words = clause.template.split(" ");
  return findMatches(new RegExp(TYPE_WORD), clause).flatMap(({ from, to, text }) => {
    const types = typesOf(text) ?? [];
    const next = words.findIndex((word, i) => i > from && new RegExp(`^${TYPE_WORD}$`).test(word));
    const named = objectsAfter(clause, to).parts.filter((i) => next < 0 || i < next);
    if (named.length > 0 && /^(?:N|[:(]|named|called)$/.test(words[to] ?? ""))
      return [typed(clause, named, types, from)];
    if (words[from - 1] === "N") return [typed(clause, [from - 1], types, from)];
    const begins = words.slice(0, from).findLastIndex((word) => /^(?:is|are)$/.test(word));
    const article = words[begins + 1] ?? "";
    if (begins < 0 || from - begins > 5 || !/^(?:a|an|the|one|both|certified|deprecated|pending)$/.test(article))
      return [];
    const { nodes, parts } = subjectsAt(clause, begins);
    if (nodes.length === 0) return [];
    return [{ holds: nodes.every(({ type }) => types.includes(type)), from, to, also: parts }];
  });
}

function typed({ nodes }: Clause, parts: readonly number[], types: readonly NodeType[], at: number): Claim {
  const holds = parts.every((i) => types.some((type) => nodes[i]?.type === type));
  return { holds, from: at, to: at + 1, also: parts };
}

export function checkCertification(clause: Clause): Claim[] {
  const words = clause.template.split(" ");
  return findMatches(new RegExp(STANDING), clause).flatMap(({ from, to, text }) => {
    const counted = new RegExp(`# (?:\\w+ )*?${STANDING} (?:\\w+ )*?(?:assets?|${TYPE_WORD})$`);
    const noun = words.findIndex((word, i) => i >= to && new RegExp(`^(?:assets?|${TYPE_WORD})$`).test(word));
    if (noun > 0 && noun - to < 2 && counted.test(words.slice(Math.max(0, from - 4), noun + 1).join(" "))) return [];
    const adjective = objectsAfter(clause, to);
    const before = /^(?:the|a|an|,|and|)$/.test(words[from - 1] ?? "") && adjective.nodes.length > 0;
    let at = from;
    while (/^(?:a|an|the|not|yet|been|still|marked|as|also|it|say)$/.test(words[at - 1] ?? "")) at--;
    const denied = words.slice(at, from).includes("not");
    const { nodes, parts } = before ? adjective : subjectsAt(clause, at);
    if (nodes.length === 0) return [];
    const holds = nodes.every((node) => stands(node, text) !== denied);
    const claim: Claim = { holds, from: denied ? at : from, to, also: parts };
    return [claim].concat(checkCertifier(clause, to, nodes));
  });
}

function stands({ certification }: CatalogNode, word: string): boolean {
  return word === "uncertified" ? certification !== "certified" : certification === word;
}

/** "certified by P on D", in either order. */
function checkCertifier({ parts }: Clause, at: number, nodes: readonly CatalogNode[]): Claim[] {
  const claims: Claim[] = [];
  for (let i = at; /^(?:by|on|at|since|\()$/.test(parts[i]?.word ?? ""); i += 2) {
    const said = parts[i + 1];
    if (said?.kind === "address") {
      const holds = nodes.every(({ certifiedBy }) => certifiedBy !== null && fold(certifiedBy) === fold(said.text));
      claims.push({ holds, from: i, to: i + 2 });
    } else if (said?.kind === "date") {
      const holds = nodes.every(
        ({ certifiedAt }) => certifiedAt?.startsWith(said.text.replace(" ", "T").replace(/ ?(?:UTC|Z)$/, "")) === true,
      );
      claims.push({ holds, from: i, to: i + 2 });
    } else break;
  }
  return claims;
}

export async function checkOwners(clause: Clause, ground: Ground): Promise<Claim[]> {
  const owned = findMatches(/(?:owned|maintained|managed) by P|owners? (?:of (?:the )?N )?(?:is|are|:) P/, clause);
  const owns = findMatches(/P (?:is the owner of|owns|maintains|manages|is responsible for)/, clause);
  const unowned = findMatches(
    /(?:has|have) no (?:known |named )?owner|(?:is|are) not owned by (?:anyone|anybody)|nobody (?:is named as the owner of|owns)|(?:is|are) (?:unowned|ownerless)/,
    clause,
  );
  const claims = [
    ...owned.map(async ({ from, to }) => {
      const inside = clause.nodes.findIndex((node, i) => node !== null && i >= from && i < to);
      const subjects =
        inside < 0 ? subjectsAt(clause, from) : { nodes: [clause.nodes[inside] ?? null], parts: [inside] };
      return claimOwner(clause, subjects, to - 1, { from, to }, ground);
    }),
    ...owns.map(async ({ from, to }) => claimOwner(clause, objectsAfter(clause, to), from, { from, to }, ground)),
    ...unowned.map(async ({ from, to, text }) => {
      const subjects = text.startsWith("nobody") ? objectsAfter(clause, to) : subjectsAt(clause, from);
      const owners = await Promise.all(subjects.nodes.map((node) => ground.ownersOf(node)));
      const holds = owners.length > 0 && owners.every(({ owner, ownerName }) => owner === "" && ownerName === "");
      return { holds, from, to, also: subjects.parts };
    }),
  ];
  return Promise.all(claims);
}

async function claimOwner(
  { parts }: Clause,
  about: { nodes: readonly (CatalogNode | null)[]; parts: readonly number[] },
  address: number,
  { from, to }: { from: number; to: number },
  ground: Ground,
): Promise<Claim> {
  const nodes = about.nodes.filter((node) => node !== null);
  const owners = await Promise.all(nodes.map((node) => ground.ownersOf(node)));
  const said = fold(parts[address]?.text ?? "");
  // Whoever owned it need not own it now.
  const past = /^(?:was|were)$/.test(parts[from - 1]?.word ?? "");
  const holds = !past && owners.length > 0 && owners.every(({ owner }) => fold(owner) === said);
  return { holds, from, to, also: about.parts };
}
