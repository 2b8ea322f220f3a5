/**
 * A function that starts, from its first line to its first answer: as it opens the archive, and as it opens what PrepareModel has converted;
 * each in a process of its own, in turns.
 *
 *     node lab/bench/cold-function.ts MODEL.tar.gz REQUEST CONTENT-TYPE [--turns 3]
 *
 * REQUEST is a file with the body of a request, such as an image. The bucket is in memory, so that no network is measured; processor time
 * counts.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openArchive } from '@inferdrop/model-container/open-archive';
import { pyodideSnapshot } from '@inferdrop/model-container/pyodide-snapshot';
import { modelConverter } from '../../functions/runtime/convert-model.ts';
import { modelOpener } from '../../functions/runtime/open-model.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { memoryObjectStore } from '../../test/support/memory-object-store.ts';

const IMAGE = 'r/tensorflow-inference:2.20-cpu-py312-amzn2023-sagemaker-v1';
const VERSION = async (): Promise<string> => 'bench';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { turns: { type: 'string', default: '3' }, from: { type: 'string' } },
});
const [archive = '', request = '', contentType = ''] = positionals;

async function answerOnce(isConverted: boolean): Promise<string> {
  const store = memoryObjectStore();
  const bytes = readFileSync(archive);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  store.put(bucketLayout.model(sha256), bytes);
  if (isConverted) await modelConverter(store, VERSION)(sha256, 'run');
  const pythonSnapshot = await pyodideSnapshot();
  const open = modelOpener(
    store,
    undefined,
    (options) => openArchive({ ...options, pythonSnapshot }),
    VERSION,
  );
  const [started, before] = [performance.now(), process.cpuUsage()];
  const model = await open({ sha256, imageUri: IMAGE, environment: {} });
  const answer = await model.answer({ body: readFileSync(request), contentType, accept: 'application/json' });
  const { user, system } = process.cpuUsage(before);
  if (answer.status !== 200) throw new Error(Buffer.from(answer.body).toString());
  const seconds = (performance.now() - started) / 1_000;
  return `${((user + system) / 1e6).toFixed(2)} s of processor time, ${seconds.toFixed(2)} s`;
}

if (values.from !== undefined) {
  process.stdout.write(`${await answerOnce(values.from === 'conversion')}\n`, () => process.exit());
} else {
  for (let turn = 0; turn < Number(values.turns); turn++)
    for (const from of ['archive', 'conversion']) {
      const args = [import.meta.filename, ...positionals, '--from', from];
      const lines = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n');
      process.stdout.write(`${from.padEnd(10)}  ${lines.at(-1)}\n`);
    }
}
