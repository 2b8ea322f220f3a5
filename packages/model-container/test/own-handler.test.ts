import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isPlainOnnx } from '../onnx/own-handler.ts';

const HANDLER = readFileSync(new URL('../onnx/python/inference.py', import.meta.url));
const EARLIER = readFileSync(new URL('support/earlier-handler.txt', import.meta.url));

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

test.each([
  ['the handler of this version (after a change, add its SHA-256 to HANDLERS)', HANDLER, true],
  ['the handler of an earlier version, in an archive that an endpoint serves', EARLIER, true],
  ['a handler that somebody has changed', Buffer.concat([HANDLER, Buffer.from('\n')]), false],
])('%s', async (_, script, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'own-handler-'));
  folders.push(folder);
  await mkdir(join(folder, 'code'));
  await writeFile(join(folder, 'model.onnx'), 'graph');
  await writeFile(join(folder, 'code', 'inference.py'), script);
  expect(isPlainOnnx(folder)).toBe(expected);
});
