/** Writes src/prediction/score-vector-wasm.ts from the text beside it: `node scripts/write-wasm.ts`. A test holds them together. */
import { readFile, writeFile } from 'node:fs/promises';
import wabt from 'wabt';

const folder = new URL('../src/prediction/', import.meta.url);
const text = await readFile(new URL('score-vector.wat', folder), 'utf8');
const { parseWat } = await wabt();
const { buffer } = parseWat('score-vector.wat', text, { simd: true }).toBinary({});
await writeFile(
  new URL('score-vector-wasm.ts', folder),
  `/** score-vector.wat as WebAssembly in base64, written by scripts/write-wasm.ts. */
export const SCORE_VECTOR_WASM =
  '${Buffer.from(buffer).toString('base64')}';
`,
);
