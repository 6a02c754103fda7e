import { saveFile } from "../../../parts/save-file.ts";
import type { Drawn } from "../layout/use-layout.ts";
import type { LineageGraph } from "../model/graph.ts";
import type { Line } from "../model/lines.ts";
import type { Size } from "../model/sizes.ts";
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
  });
  const name = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  const svg = new Blob([file.text], { type: "image/svg+xml" });
  saveFile(format === "svg" ? svg : await toPng(svg, file), `${name}.${format}`);
}

/** A PNG of more pixels on a side than this is refused by some browsers. */
const MAX_SIDE = 8_192;
const SHARPNESS = 2;

/** @throws Error if the browser cannot draw it */
async function toPng(svg: Blob, size: Size): Promise<Blob> {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(SHARPNESS, MAX_SIDE / size.width, MAX_SIDE / size.height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(size.width * scale);
    canvas.height = Math.round(size.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob === null) throw new Error("the picture is too large for this browser");
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The colours of the tokens, as the theme has them now. */
function readColours(): (token: string) => string {
  const probe = document.createElement("span");
  document.body.append(probe);
  const known = new Map<string, string>();
  queueMicrotask(() => probe.remove());
  return (token) => {
    const before = known.get(token);
    if (before !== undefined) return before;
    probe.style.color = `var(${token})`;
    const colour = getComputedStyle(probe).color;
    known.set(token, colour);
    return colour;
  };
}
