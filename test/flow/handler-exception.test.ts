import { expect, it } from 'vitest';
import { CLASSES, rowNetwork } from '../../packages/model-container/test/support/row-network.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

/** Answers JSON by itself, and fails for what holds no list. */
const HANDLER = `
import json

def handler(data, context):
    document = json.loads(data.read())
    print("asked for", document)
    return json.dumps({"predictions": [[document["values"][0], 0.1, 0, 0]]}), "application/json"
`;
const RUN = 'documents/monday/000001';

let laptop: Laptop;
onSharedLaptop(async (shared) => {
  laptop = shared;
  for (const name of ['documents', 'raising']) {
    await laptop.givePipeline(name, (config) => {
      config.transform = { ...config.transform, contentType: 'application/json', invocationsMaxRetries: 0 };
      config.labels = { classes: CLASSES, truth: null };
      config.gate = null;
      config.report = { topK: [1] };
    });
    await laptop.application.store.write(
      bucketLayout.pipelineModel(name),
      await rowNetwork({ 'code/inference.py': HANDLER }),
    );
  }
  await laptop.upload('documents', 'monday', {
    'good.json': '{"values": [0.9]}',
    'bad.json': '{"values": []}',
  });
  await laptop.upload('raising', 'monday', { 'bad.json': '{}' });
});

async function run(...args: string[]): Promise<string> {
  const terminal = silentTerminal();
  await runCommandLine(args, terminal);
  return terminal.lines.join('\n');
}

it('the exception of a handler is in errors.csv, in the report and on the terminal', async () => {
  const { report, errors } = await laptop.outcome(RUN);
  const said = 'the container answered 500: list index out of range';
  expect(report).toMatchObject({ status: 'completed-with-errors', errorsByReason: { 'model-error': 1 } });
  expect(errors).toEqual([expect.stringMatching(/bad\.json,,,,model-error,.*list index out of range/)]);
  expect(report.failures[0]?.detail).toContain(said);
  expect(await run('report', RUN)).toContain(`model-error  incoming/documents/monday/bad.json: ${said}`);
});

it('the report names what ran beside the image', async () => {
  const { report } = await laptop.outcome(RUN);
  expect(report.setup?.imageUri).toContain('tensorflow-inference:2.20');
  expect(report.setup?.runtimes).toEqual([
    expect.stringMatching(
      /^onnxruntime \d+\.\d+\.\d+, SavedModel converted to ONNX by converter [0-9a-f]{16}$/,
    ),
  ]);
});

it('logs shows what the container and the data log of a run’s jobs have', async () => {
  await laptop.outcome(RUN);
  const text = await run('logs', RUN);
  expect(text).toMatch(/ container {1,2}asked for \{'values': \[0\.9\]\}/);
  expect(text).toContain('IndexError: list index out of range');
  expect(text).toMatch(/ data-log {2}.*bad\.json: Bad HTTP status received from algorithm: 500/);
  const lines = (await run('logs', RUN, '--json')).split('\n').map((line) => JSON.parse(line));
  expect(new Set(lines.map(({ source }) => source))).toEqual(new Set(['container', 'data-log']));
  await expect(run('logs', 'documents/never/000001')).rejects.toThrow(/has started no transform job/);
});

it('a run whose every input makes the handler fail says so in its message', async () => {
  const { report, message } = await laptop.outcome('raising/monday/000001');
  expect(report.failure).toMatchObject({
    error: 'NothingPredicted',
    nextStep: expect.stringContaining('inferdrop logs'),
  });
  expect(message.body).toMatch(/bad\.json: the container answered 500: 'values'/);
});
