import { pathOfIcon } from "../../../parts/icon.tsx";
import type { Drawn } from "../layout/use-layout.ts";
import type { LineageGraph } from "../model/graph.ts";
import type { Line } from "../model/lines.ts";
import { readColours, savePng, saveSvg } from "./save.ts";
import { writeSvg } from "./svg.ts";

/** Saves the whole picture, with the colours of the present theme. */
export async function exportPicture(
  format: "svg" | "png",
  { title, drawn, graph, lines }: { title: string; drawn: Drawn; graph: LineageGraph; lines: readonly Line[] },
): Promise<void> {
  const file = writeSvg({
    title,
    picture: drawn.picture,
    boxes: drawn.boxes,
    lines,
    columns: new Map([...drawn.columns].map((id) => [id, graph.columns.get(id) ?? []])),
    colourOf: readColours(),
    iconOf: pathOfIcon,
  });
  const name = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  if (format === "svg") saveSvg(file, name);
  else await savePng(file, name);
}
