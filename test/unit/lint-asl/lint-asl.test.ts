import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function lint(file: string): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/lint-asl.ts', file], (error, _, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, text: stderr });
    });
  });
}

test('the machines of this repository pass', async () => {
  expect(await lint('statemachines/batch-inference.asl.yml')).toEqual({ code: 0, text: '' });
});

test('a problem is printed with file and state, and the exit code is 1', async () => {
  const dir = temporaryFolder('asl-');
  const file = join(dir, 'bad.asl.json');
  const task = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', End: true };
  await writeFile(file, JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'A', States: { A: task } }));
  const { code, text } = await lint(file);
  expect(code).toBe(1);
  expect(text).toContain(`${file}: A: a Task needs TimeoutSeconds`);
});
