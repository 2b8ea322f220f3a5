import path from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { packModel } from '../../src/cli/model/enter-model.ts';
import { inspectModel } from '../../src/cli/model/inspect-model.ts';
import { silentTerminal } from '../support/silent-terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FIXTURES = path.join(import.meta.dirname, '..', '..', 'packages', 'savedmodel', 'test', 'fixtures');
const EXAMPLES = path.join(import.meta.dirname, '..', '..', 'examples');

test('inspect shows signatures, operations, handler and digest', async () => {
  const terminal = silentTerminal();
  const file = path.join(EXAMPLES, 'fashion-mnist', 'model.tar.gz');
  expect(await runCommandLine(['model', 'inspect', file], terminal)).toBe(0);
  const text = terminal.lines.join('\n');
  expect(text).toMatch(/sha256 {3}[0-9a-f]{64}/);
  expect(text).toContain('input  image_bytes: string [-1]');
  expect(text).toContain('output probabilities: float32 [-1, 10]');
  expect(text).toContain('Conv2D');
  expect(text).toContain(
    'runs     model: in onnxruntime, no Python needed (converted and run once on zeros)',
  );
});

/** A SavedModel of the fixtures, packed without code. */
async function packed(name: string): Promise<string> {
  const output = path.join(temporaryFolder('packed-'), 'model.tar.gz');
  await packModel({ model: path.join(FIXTURES, name), code: undefined, output });
  return output;
}

test('inspect converts the model of an archive', async () => {
  const { models } = await inspectModel(await packed('loop_variables'));
  expect(models).toMatchObject([
    { name: 'model', version: 1, damage: null, signatures: [{ name: 'serving_default', unsupported: [] }] },
  ]);
});

test('inspect names the images that TensorFlow decodes and this machine does not', async () => {
  const terminal = silentTerminal();
  expect(await runCommandLine(['model', 'inspect', await packed('loop_frozen')], terminal)).toBe(0);
  expect(terminal.lines.filter((line) => line.startsWith('    limit'))).toEqual([
    '    limit  images are refused beyond 134217728 pixels, in JPEG XL, as animated WebP without transparency, and as ' +
      'GIF cut off amid a frame',
    '    limit  requests of serving_default run one by one, for their rows might mix: Softmax (node Softmax)',
  ]);
});
