/** Claims about any assets at all: the check keeps them exactly where the graph has it so. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type AgentCatalog, createAgentCatalog } from "../../../src/agent/catalog.ts";
import { checkText } from "../../../src/agent/model/check/check.ts";
import { nameOf } from "../../../src/agent/answers/words.ts";
import { type CatalogNode, NODE_TYPES } from "../../../src/catalog/asset.ts";
import { getDefaultWorkspace } from "../../../src/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { present } from "../../support/present.ts";

let app: RunningApp;
let catalog: AgentCatalog;
/** All but columns, each by a name that no other asset has. */
let nodes: CatalogNode[];

beforeAll(async () => {
  app = await startApp({ sample: true });
  const { id } = await getDefaultWorkspace(app.app.metadata);
  catalog = createAgentCatalog({ ...app.app, maxLineageNodes: 10_000 }, id);
  const { items } = await catalog.list({ types: NODE_TYPES.filter((type) => type !== "column") }, 500);
  const called = items.flatMap((node) => [
    ...new Set([nameOf(node), node.metric?.displayName ?? ""].map((name) => name.toLowerCase())),
  ]);
  nodes = items.filter((node) => called.filter((name) => name === nameOf(node).toLowerCase()).length === 1);
});
afterAll(() => app.close());

const anyNode = fc.nat().map((n) => () => present(nodes[n % nodes.length]));
const scope = { allows: () => true, named: [], narrows: false, area: null, isCut: false };

async function isKept(text: string): Promise<boolean> {
  const { kept } = await checkText(text, { catalog, scope, known: [], facts: [] });
  return kept.length > 0;
}

/** The first claim that is kept and not true, or true and not kept; null where there is none. */
async function findMistake<T>(
  values: fc.Arbitrary<T>,
  claim: (values: T) => Promise<[text: string, isTrue: boolean]>,
): Promise<string | null> {
  const property = fc.asyncProperty(values, async (drawn) => {
    const [text, isTrue] = await claim(drawn);
    if ((await isKept(text)) !== isTrue) throw new Error(`${text} is ${isTrue}`);
  });
  const { failed, errorInstance } = await fc.check(property, { numRuns: 100 });
  return failed ? String(errorInstance) : null;
}

const depthOf = async (from: CatalogNode, to: CatalogNode): Promise<number | null> =>
  (await catalog.walk(from.id, "downstream"))?.nodes.find(({ id }) => id === to.id)?.depth ?? null;

describe("a claim is kept exactly where it is true", () => {
  it("that one feeds another", async () => {
    const mistake = await findMistake(
      fc.tuple(anyNode, anyNode, fc.constantFrom("feeds", "directly feeds")),
      async ([a, b, verb]) => {
        const depth = await depthOf(a(), b());
        return [`\`${a().fqn}\` ${verb} \`${b().fqn}\`.`, depth !== null && (verb === "feeds" || depth === 1)];
      },
    );
    expect(mistake).toBeNull();
  });

  it("that one depends on another, or does not", async () => {
    const mistake = await findMistake(fc.tuple(anyNode, anyNode, fc.boolean()), async ([a, b, denied]) => {
      const verb = denied ? "does not depend on" : "depends on";
      return [`\`${a().name}\` ${verb} \`${b().name}\`.`, ((await depthOf(b(), a())) !== null) !== denied];
    });
    expect(mistake).toBeNull();
  });

  it("that one is used by so many", async () => {
    const mistake = await findMistake(
      fc.tuple(anyNode, fc.constantFrom("dashboard", "model", "metric"), fc.integer({ min: 2, max: 6 })),
      async ([a, type, n]) => {
        const found = (await catalog.walk(a().id, "downstream"))?.nodes.filter((node) => node.type === type) ?? [];
        const direct = found.filter(({ depth }) => depth === 1).length;
        return [`\`${a().name}\` is used by ${n} ${type}s.`, n === found.length || n === direct];
      },
    );
    expect(mistake).toBeNull();
  });

  it("that one is certified, and of a type", async () => {
    const mistake = await findMistake(
      fc.tuple(
        anyNode,
        fc.constantFrom("certified", "pending", "deprecated"),
        fc.constantFrom("metric", "dashboard", "pipeline"),
      ),
      async ([a, standing, type]) => [
        `\`${a().name}\` is a ${standing} ${type}.`,
        a().certification === standing && a().type === type,
      ],
    );
    expect(mistake).toBeNull();
  });

  it("that one is owned by somebody", async () => {
    const mistake = await findMistake(fc.tuple(anyNode, anyNode), async ([a, b]) => [
      `\`${a().name}\` is owned by ${b().owner || "nobody@example.com"}.`,
      a().owner !== "" && a().owner === b().owner,
    ]);
    expect(mistake).toBeNull();
  });

  it("that all of a list feed one", async () => {
    const mistake = await findMistake(fc.tuple(anyNode, anyNode, anyNode), async ([a, b, c]) => {
      const depths = await Promise.all([depthOf(a(), c()), depthOf(b(), c())]);
      return [`\`${a().name}\` and \`${b().name}\` feed \`${c().name}\`.`, !depths.includes(null)];
    });
    expect(mistake).toBeNull();
  });
});

describe("whatever a text is", () => {
  it("the check ends, and keeps no more than it was given", () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 400 }), async (text) => {
        const { kept, claims, confirmed } = await checkText(text, { catalog, scope, known: nodes, facts: [] });
        expect(confirmed).toBeLessThanOrEqual(claims);
        expect(kept.map((sentence) => sentence.text).join(" ").length).toBeLessThanOrEqual(
          text.normalize("NFC").length,
        );
      }),
      { numRuns: 150 },
    ));
});
