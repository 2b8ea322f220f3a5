import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Folders whose code decides what becomes of a SavedModel. */
const CONVERTER = ['host', 'image', 'onnx', 'savedmodel'];

/** What runs a SavedModel here, for the container's log: onnxruntime with its version, and the digest of the converter's code. */
export async function whatRuns(): Promise<string> {
  // Imported here, so that a process that loads no model needs no onnxruntime.
  const { default: onnxruntime } = await import('onnxruntime-node/package.json', { with: { type: 'json' } });
  return `onnxruntime ${onnxruntime.version}, SavedModel converted to ONNX by converter ${await converterDigest()}`;
}

/** The first 16 digits of the SHA-256 over names and contents of the converter's files. */
async function converterDigest(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of CONVERTER) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    for (const file of files.sort()) {
      hash.update(`${file.slice(ROOT.length).replaceAll('\\', '/')}\0`);
      hash.update(await readFile(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
