import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadModel } from '../engine/load-model.ts';
import { openModelSession } from '../engine/model-session.ts';
import { fromHostTensor, type HostDType, hostTensorOf } from '../host/host-tensor.ts';

interface Array {
  readonly dtype: HostDType;
  readonly shape: readonly number[];
  readonly data: readonly (number | string)[];
}

/** Made by TensorFlow: fixtures/make_operations.py. */
const fixtures = new URL('./fixtures/', import.meta.url);
const answers: Record<string, { inputs: Record<string, Array>; outputs: Record<string, Array> }> = JSON.parse(
  readFileSync(new URL('operations.json', fixtures), 'utf8'),
);
const model = loadModel(new URL('operations', fixtures).pathname);

test('every signature of the fixture is known', () => {
  expect(model.signatures.map(({ name }) => name)).toEqual(Object.keys(answers).sort());
});

test.each(Object.keys(answers))('%s gives what TensorFlow gives', async (name) => {
  const { inputs, outputs } = answers[name]!;
  const session = await openModelSession(model.convert(name));
  const feeds = Object.entries(inputs).map(([input, { dtype, shape, data }]) => {
    return [input, fromHostTensor(hostTensorOf(dtype, shape, data.map(Number)))] as const;
  });
  const results = await session.run(new Map(feeds));
  await session.release();
  expect([...results.keys()]).toEqual(Object.keys(outputs).sort());
  for (const [output, expected] of Object.entries(outputs)) {
    const result = results.get(output)!;
    expect(result.dtype).toBe(expected.dtype);
    expect(result.shape).toEqual(expected.shape);
    expected.data.map(Number).forEach((value, index) => {
      const given = Number(result.data[index]);
      const close = Object.is(given, value) || Math.abs(given - value) <= 1e-5 * Math.max(1, Math.abs(value));
      if (!close && !(given === value)) expect.fail(`${output}[${index}] is ${given}, not ${value}`);
    });
  }
});
