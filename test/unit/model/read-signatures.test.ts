import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { readArchive } from '../../../src/model/read-archive.ts';
import { servedSignature } from '../../../src/model/served-signature.ts';
import { pieces } from '../../support/pieces.ts';
import { savedModelProto } from '../../support/saved-model-proto.ts';

async function signaturesOf(files: Readonly<Record<string, Buffer>>, size = 1_000) {
  const archive = await readArchive(pieces(await modelArchive(files), size));
  if ('reason' in archive) throw new Error(archive.reason);
  return archive.signatures;
}
const fixture = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../fixtures/savedmodel/${name}/saved_model.pb`, import.meta.url));

test('signatures of TensorFlow’s own files are read as the archive goes by', async () => {
  const found = await signaturesOf({
    '1/saved_model.pb': await fixture('loop_variables'),
    'code/inference.py': Buffer.from('x'.repeat(3_000)),
  });
  expect(servedSignature(found)).toEqual({
    name: 'serving_default',
    inputs: [{ name: expect.any(String), kind: expect.any(String), shape: expect.any(Array) }],
    outputs: expect.arrayContaining([
      { name: 'classes', kind: 'integer', shape: [-1] },
      { name: 'probabilities', kind: 'float', shape: [-1, 5] },
    ]),
  });
  const several = await signaturesOf({ '1/saved_model.pb': await fixture('functions') }, 17);
  expect(several.get('1/saved_model.pb')?.map(({ name }) => name)).toContain('embed');
});

test('the highest version answers, and of several models none is chosen', async () => {
  const [old, now] = [savedModelProto({ y: { sizes: [3] } }), savedModelProto({ y: { sizes: [1] } })];
  const versions = await signaturesOf({ 'm/9/saved_model.pb': old, 'm/10/saved_model.pb': now });
  expect(servedSignature(versions)?.outputs[0]?.shape?.at(-1)).toBe(1);
  expect(servedSignature(await signaturesOf({ 'a/1/saved_model.pb': old, 'b/1/saved_model.pb': now }))).toBe(
    undefined,
  );
});

test('a graph that is not served, and bytes that are no model, have no signature', async () => {
  const training = savedModelProto({ y: { sizes: [3] } }, 'train');
  expect(servedSignature(await signaturesOf({ '1/saved_model.pb': training }))).toBe(undefined);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.nat(5_200), async (bytes, cut) => {
      await signaturesOf({ '1/saved_model.pb': Buffer.from(bytes) });
      const whole = savedModelProto({ y: { sizes: [3] } });
      await signaturesOf({ '1/saved_model.pb': whole.subarray(0, cut % whole.length) });
    }),
    { numRuns: 50 },
  );
});
