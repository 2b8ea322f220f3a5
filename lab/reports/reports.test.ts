import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { type Laptop, startLaptop } from '../../test/support/laptop.ts';
import { silentTerminal } from '../../test/support/silent-terminal.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { type Thread, THREADS } from './threads.ts';

let laptop: Laptop;
let folder: string;
beforeAll(async () => {
  laptop = await startLaptop();
  folder = temporaryFolder('inferdrop-reports-');
});
afterAll(() => laptop.close());

/** A command in this process: its exit code, and all that it said; a refusal's words are among them. */
async function run(...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
  const terminal = silentTerminal();
  const code = await runCommandLine(args, terminal).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    terminal.note(error.message);
    return 1;
  });
  return { code, said: terminal.lines.join('\n') };
}

async function write(place: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(place, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return place;
}

/** Outcome of a thread's input, in the form that its row wants. */
async function tried({ model, pipeline, files }: Thread, name: string) {
  const folderOf = (kind: string): string => path.join(folder, kind, name);
  const archive = await modelArchive(model);
  const config = JSON.stringify({ ...pipeline, drop: { quietSeconds: 600 } });
  await write(folderOf('pipelines'), { 'pipeline.json': config, 'model.tar.gz': archive });
  const put = await run('pipeline', 'put', folderOf('pipelines'));
  if (put.code !== 0) return { ends: 'refused by put', jobs: 0, said: put.said };
  await write(folderOf('drops'), files);
  const { said } = await run('drop', folderOf('drops'), '--pipeline', name, '--name', 'd', '--wait');
  const id = `${name}/d/000001`;
  if ((await laptop.application.store.describe(bucketLayout.ended(toRun(id)))) === undefined)
    return { ends: 'refused by drop', jobs: 0, said };
  const { report, errors, jobs } = await laptop.outcome(id);
  const { status: ends, correct: right } = report;
  return { ends, right, jobs: jobs.length, said: [said, ...errors, JSON.stringify(report)].join('\n') };
}

describe.concurrent('public reports', () => {
  for (const [at, row] of THREADS.entries())
    test(`${row.thread}: ${row.what}${row.open === undefined ? '' : ` (open: ${row.open})`}`, async () => {
      const { said, ...found } = await tried(row, `t${at}`);
      const { says = [], ...wanted } = row.wanted;
      const unsaid = says.filter((words) => !said.includes(words));
      const outcome = { ...found, unsaid };
      if (row.open === undefined) expect(outcome, said).toMatchObject({ ...wanted, unsaid: [] });
      else {
        // A row that isn't even put says nothing about its thread.
        if (wanted.ends !== 'refused by put') expect(found.ends, said).not.toBe('refused by put');
        expect(outcome, `passes now: delete "open" of its row`).not.toMatchObject({ ...wanted, unsaid: [] });
      }
    });
});
