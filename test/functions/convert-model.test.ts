import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { modelConverter } from '../../functions/runtime/convert-model.ts';
import { modelOpener } from '../../functions/runtime/open-model.ts';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { FIRST, rowNetwork } from '../../packages/model-container/test/support/row-network.ts';
import { ONNX_HANDLER } from '../../src/frameworks/onnx/handler-text.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { memoryObjectStore, type MemoryObjectStoreOptions } from '../support/memory-object-store.ts';
import { UNKNOWN_OPERATION, unsupportedModel } from '../support/unsupported-model.ts';

const IMAGE = 'r/tensorflow-inference:2.20-cpu-py312-amzn2023-sagemaker-v1';
const NETWORK = await rowNetwork();

function bucketWith(archive: Buffer, options?: MemoryObjectStoreOptions) {
  const store = memoryObjectStore(options);
  const sha256 = createHash('sha256').update(archive).digest('hex');
  store.put(bucketLayout.model(sha256), archive);
  const below = `models/${sha256}/onnx/`;
  const fetched = (): string[] => {
    const keys = store.requests.filter(({ operation }) => operation === 'GET').map(({ key }) => key);
    store.requests.length = 0;
    const names = keys.map((key) => key.slice('models/'.length + sha256.length + 1));
    return names.map((name) => name.replace(/[0-9a-f]{64}\.tar$/, 'TAR')).sort();
  };
  const convert = (version = 'v1') => modelConverter(store, async () => version)(sha256, 'run');
  /** Answers of a function that starts. */
  const cold = async (version = 'v1', ...asked: readonly object[]) => {
    const open = modelOpener(store, undefined, undefined, async () => version);
    const model = await open({ sha256, imageUri: IMAGE, environment: {} });
    const answers: string[] = [];
    for (const body of [{ instances: [FIRST] }, ...asked]) {
      const request = { contentType: 'application/json', accept: 'application/json' };
      const answer = await model.answer({ ...request, body: Buffer.from(JSON.stringify(body)) });
      answers.push(`${answer.status} ${Buffer.from(answer.body).toString()}`);
    }
    return answers;
  };
  return { store, sha256, below, fetched, convert, cold };
}

const TAR = 'onnx/v1/TAR';
const DOCUMENT = 'onnx/v1/conversion.json';
const ARCHIVE = 'model.tar.gz';

it('a model is converted once, and a function that starts answers the same without its archive', async () => {
  const { store, below, fetched, convert, cold } = bucketWith(NETWORK);
  const before = await cold();
  expect(before).toEqual([expect.stringMatching(/^200 /)]);
  expect(fetched()).toEqual([ARCHIVE, DOCUMENT]);

  await convert();
  expect(fetched()).toEqual([ARCHIVE, DOCUMENT]);
  const kept = store.keys(below);
  expect(kept).toHaveLength(2);
  expect(await cold()).toEqual(before);
  expect(fetched()).toEqual([TAR, DOCUMENT]);

  await convert();
  expect(store.requests.map(({ operation }) => operation)).toEqual(['GET', 'HEAD']);
  expect(store.keys(below)).toEqual(kept);
});

it('a signature that nearly no caller wants is converted out of the archive when it is asked for', async () => {
  const { fetched, convert, cold } = bucketWith(NETWORK);
  const embed = { signature_name: 'embed', instances: [1] };
  const before = await cold('v1', embed);
  expect(before[1]).toMatch(/^200 /);
  expect(before[1]).not.toBe(before[0]);
  await convert();
  fetched();
  expect(await cold('v1', embed, embed)).toEqual([...before, before[1]]);
  expect(fetched()).toEqual([ARCHIVE, TAR, DOCUMENT]);
});

it('what another version of the converter has made is not read', async () => {
  const { store, below, fetched, convert, cold } = bucketWith(NETWORK);
  await convert('v1');
  fetched();
  await cold('v2');
  expect(fetched()).toEqual([ARCHIVE, 'onnx/v2/conversion.json']);
  await convert('v2');
  expect(store.keys(below)).toHaveLength(4);
});

it('a conversion that is killed before its document is written is not read, and the next call makes it', async () => {
  let isKilled = true;
  const { store, below, fetched, convert, cold } = bucketWith(NETWORK, {
    before: ({ operation, key }) => {
      if (isKilled && operation === 'PUT' && key.endsWith('.json')) throw new Error('killed');
    },
  });
  await expect(convert()).rejects.toThrow('killed');
  expect(store.keys(below)).toEqual([expect.stringMatching(/\.tar$/)]);
  fetched();
  await cold();
  expect(fetched()).toEqual([ARCHIVE, DOCUMENT]);

  isKilled = false;
  await convert();
  fetched();
  await cold();
  expect(fetched()).not.toContain(ARCHIVE);
});

it('two that convert at once leave a conversion that is whole', async () => {
  const { convert, cold, fetched } = bucketWith(NETWORK);
  await Promise.all([convert(), convert()]);
  fetched();
  await cold();
  expect(fetched()).toEqual([TAR, DOCUMENT]);
});

it('a conversion that is lost is made again; one with other bytes is refused by name', async () => {
  const { store, below, convert, cold, fetched } = bucketWith(NETWORK);
  await convert();
  const [tar = '', document = ''] = store.keys(below).toSorted((a, b) => b.length - a.length);
  const bytes = Buffer.from((await store.readBytes(tar))!);
  store.remove(tar);
  await cold();
  await convert();
  fetched();
  await cold();
  expect(fetched()).not.toContain(ARCHIVE);

  // In the last file or the padding behind it, and in the first name.
  for (const [at, why] of [
    [bytes.length - 1_025, 'its SHA-256 is [0-9a-f]{64}'],
    [0, 'it is no whole tar'],
  ] as const) {
    const others = Buffer.from(bytes);
    others[at]! ^= 1;
    store.put(tar, others);
    await expect(cold()).rejects.toMatchObject({
      name: 'ModelRefused',
      message: expect.stringMatching(
        `${tar} is not the conversion that was stored there: ${why}. Remove ${document}, and rerun the run`,
      ),
    });
  }
  store.remove(document);
  await convert();
  await cold();
});

it('a SavedModel that cannot be converted is refused, in words of its use', async () => {
  const { store, sha256, below } = bucketWith(await unsupportedModel());
  for (const [use, words] of [
    ['run', 'the model cannot run with transform.engine "lambda"'],
    ['endpoint', 'the model cannot be served with endpoint.type "lambda"'],
  ] as const)
    await expect(modelConverter(store)(sha256, use)).rejects.toMatchObject({
      name: 'ModelNeedsContainer',
      message: expect.stringMatching(`${words}: .*${UNKNOWN_OPERATION}`),
    });
  expect(store.keys(below)).toEqual([]);
});

it('what an archive has under the name of a conversion is not read', async () => {
  const honest = bucketWith(NETWORK);
  const given = 'no converter has written this';
  const hostile = bucketWith(
    await rowNetwork({
      'numbers/2/conversion.bin': given,
      'numbers/1/conversion.bin/3/conversion.bin': given,
      'others/numbers/2/conversion.bin': given,
    }),
  );
  for (const { convert } of [honest, hostile]) await convert();
  expect(await hostile.cold()).toEqual(await honest.cold());
  const [tar = ''] = hostile.store.keys(hostile.below).toSorted((a, b) => b.length - a.length);
  expect(hostile.store.text(tar)).not.toContain(given);
});

it('of an ONNX archive is kept what was in it, unpacked', async () => {
  const { store, below, convert } = bucketWith(
    await modelArchive({ 'model.onnx': 'graph', 'code/inference.py': ONNX_HANDLER }),
  );
  await convert();
  const [tar = ''] = store.keys(below).toSorted((a, b) => b.length - a.length);
  const text = store.text(tar)!;
  expect(text).toContain('model.onnx');
  expect(text).toContain('graph');
  expect(text).toContain(ONNX_HANDLER);
});
