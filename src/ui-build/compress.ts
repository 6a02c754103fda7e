/** Compresses built files once, so that the server never does it for a request. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Pictures and fonts are compressed already. */
const COMPRESSIBLE = /\.(?:html|js|css|svg|json|txt)$/;
/** Below this size, headers outweigh what is saved. */
const MIN_BYTES = 512;
const BROTLI_QUALITY = 10;

export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((it) => it.isFile() && COMPRESSIBLE.test(it.name))
    .map((it) => join(it.parentPath, it.name));
  await Promise.all(paths.map(compressFile));
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < MIN_BYTES) return;
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  ]);
  await Promise.all([writeFile(`${path}.gz`, gzipped), writeFile(`${path}.br`, brotli)]);
}
