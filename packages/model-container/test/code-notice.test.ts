import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createCodeNotice } from '../code-notice.ts';
import { unpackModelArchive } from '../model-archive.ts';
import { modelArchive } from './support/model-archive.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

async function unpacked(files: Record<string, string>, networkIsolation = false) {
  const modelDir = temporaryFolder('notice-');
  await unpackModelArchive(Readable.from([await modelArchive(files)]), modelDir);
  return { image: '', modelDir, networkIsolation, environment: {}, log: () => undefined };
}
const CODE = { 'code/inference.py': 'import numpy', 'code/requirements.txt': 'numpy==2\npillow' };

test('an archive with code is noticed once, and again where its code is another one', async () => {
  const lines: string[] = [];
  const notice = createCodeNotice((line) => lines.push(line));
  for (const files of [CODE, CODE, { ...CODE, 'code/inference.py': 'import os' }, { '1/saved_model.pb': '' }])
    await notice(await unpacked(files), 'python');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /^a model archive brings a program \(code\/ [\da-f]{12}\), which runs as you: it can read, change and send what you can; pip installs what its code\/requirements.txt names \(numpy==2, pillow\), and runs what those packages run\. Run archives that you trust$/,
  );
});

test('in Pyodide it is said to be apart, and nothing is installed with network isolation', async () => {
  const lines: string[] = [];
  const notice = createCodeNotice((line) => lines.push(line));
  await notice(await unpacked(CODE), 'pyodide');
  await notice(await unpacked(CODE, true), 'python');
  expect(lines[0]).toContain('which runs in Pyodide and cannot reach your files, variables and programs');
  expect(lines[1]).not.toContain('pip');
});
