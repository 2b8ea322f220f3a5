import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '../../functions/runtime/scratch-folder.ts';

const OTHER = '00000000-0000-4000-8000-000000000000';

function left(name: string): string {
  const folder = path.join(tmpdir(), `inferdrop-${name}-scratch`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'model.onnx'), '');
  return folder;
}

it('folders that killed processes left are removed, those of living ones are kept', async () => {
  // The highest number of a process that Linux gives is 2^22.
  const gone = [left(`conversion-4194305-${OTHER}`), left(`model-${process.pid}-${OTHER}`)];
  const kept = [
    left(`conversion-${process.ppid}-${OTHER}`),
    left('report-4194305'),
    await scratchFolder('model'),
  ];
  const own = await scratchFolder('conversion');
  expect([...gone, ...kept, own].map(existsSync)).toEqual([false, false, true, true, true, true]);
});
