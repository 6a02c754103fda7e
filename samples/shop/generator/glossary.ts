/** dbt's doc blocks: words described once, in glossary.md, and used in many property files. */
import { render } from "./jinja.ts";
import { PROJECT, paths, uniqueId } from "./names.ts";
import type { TextFile } from "./read-project.ts";

const BLOCK = /\{% docs (\w+) %\}([\s\S]*?)\{% enddocs %\}/g;

/** Each block's name and text. */
export type Glossary = ReadonlyMap<string, string>;

export function readGlossary(file: TextFile): Glossary {
  return new Map([...file.text.matchAll(BLOCK)].map(([, name = "", text = ""]) => [name, text.trim()]));
}

/**
 * A description as people read it, and the doc blocks that it took.
 * @throws Error where it names a block that is not in the glossary.
 */
export function describe(text: string, glossary: Glossary): { description: string; doc_blocks: string[] } {
  const { text: description, calls } = render(text, ({ arguments: [name = ""] }) => {
    const block = glossary.get(name);
    if (block === undefined) throw new Error(`No doc block ${name} in the glossary`);
    return block;
  });
  return { description, doc_blocks: calls.map((call) => uniqueId("doc", ...call.arguments)) };
}

/** The manifest's `docs`. */
export function docNodes(file: TextFile) {
  const { path, original_file_path } = paths(file.path);
  return [...readGlossary(file)].map(([name, text]) => ({
    name,
    resource_type: "doc",
    package_name: PROJECT,
    path,
    original_file_path,
    unique_id: uniqueId("doc", name),
    block_contents: text,
  }));
}
