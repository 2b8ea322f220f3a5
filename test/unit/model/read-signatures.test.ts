import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { servedVersion } from '../../../src/frameworks/tensorflow/archive.ts';
import { readArchive } from '../../../src/model/read-archive.ts';
import { pieces } from '../../support/pieces.ts';
import { savedModelProto } from '../../support/saved-model-proto.ts';

async function signaturesOf(files: Readonly<Record<string, Buffer>>, size = 1_000) {
  const archive = await readArchive(pieces(await modelArchive(files), size));
  if ('reason' in archive) throw new Error(archive.reason);
  return archive.signatures;
}
const versionOf = (signatures: Awaited<ReturnType<typeof signaturesOf>>, environment = {}) =>
  servedVersion({ files: [...signatures.keys(), '3/saved_model.pb.old'], signatures }, environment);
const fixture = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../packages/savedmodel/test/fixtures/${name}/saved_model.pb`, import.meta.url));

test('signatures of TensorFlow’s own files are read as the archive goes by', async () => {
  const found = await signaturesOf({
    '1/saved_model.pb': await fixture('loop_variables'),
    'code/inference.py': Buffer.from('x'.repeat(3_000)),
  });
  const version = versionOf(found);
  expect(version).toMatchObject({ model: 'model', version: 1, rivals: [] });
  expect(version && 'signatures' in version && version.signatures).toContainEqual({
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

test('the highest version answers, and of several models the one that the settings name', async () => {
  const [old, now] = [savedModelProto({ y: { sizes: [3] } }), savedModelProto({ y: { sizes: [1] } })];
  const versions = await signaturesOf({ 'm/9/saved_model.pb': old, 'm/10/saved_model.pb': now });
  expect(versionOf(versions)).toMatchObject({ model: 'm', version: 10, file: 'm/10/saved_model.pb' });
  const two = await signaturesOf({ 'a/1/saved_model.pb': old, 'b/1/saved_model.pb': now });
  expect(versionOf(two)).toMatchObject({ model: 'a', rivals: ['b'] });
  expect(versionOf(two, { SAGEMAKER_TFS_DEFAULT_MODEL_NAME: 'b' })).toMatchObject({ model: 'b', rivals: [] });
  expect(versionOf(two, { SAGEMAKER_TFS_DEFAULT_MODEL_NAME: 'c' })).toEqual({
    reason: 'SAGEMAKER_TFS_DEFAULT_MODEL_NAME must be one of a, b, is c',
  });
});

test('a graph that is not served, and bytes that are no model, cannot be read, which is another thing than no signature', async () => {
  const training = savedModelProto({ y: { sizes: [3] } }, 'train');
  const files = ['1/saved_model.pb'];
  const signatures = await signaturesOf({ '1/saved_model.pb': training });
  expect(servedVersion({ files, signatures }, {})).toMatchObject({ signatures: 'unread' });
  expect(servedVersion({ files, signatures: new Map([['1/saved_model.pb', []]]) }, {})).toMatchObject({
    signatures: [],
  });
  expect(servedVersion({ files: ['v1/saved_model.pb'] }, {})).toBe(undefined);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.nat(5_200), async (bytes, cut) => {
      await signaturesOf({ '1/saved_model.pb': Buffer.from(bytes) });
      const whole = savedModelProto({ y: { sizes: [3] } });
      await signaturesOf({ '1/saved_model.pb': whole.subarray(0, cut % whole.length) });
    }),
    { numRuns: 50 },
  );
});
