import { CreateModelCommand, DescribeModelCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createModelCheck } from '@inferdrop/model-container/internal/check-model';
import type { CheckedModel } from '@inferdrop/model-container/internal/container-kind';
import { modelArchive } from '../../../model-container/test/support/model-archive.ts';
import { rowNetwork } from '../../../model-container/test/support/row-network.ts';
import {
  UNKNOWN_OPERATION,
  unsupportedModel,
} from '../../../model-container/test/support/unsupported-model.ts';
import { IMAGE, localSageMaker, ROLE } from './local-sagemaker.ts';

const looked: CheckedModel[] = [];
let stack: Awaited<ReturnType<typeof localSageMaker>>;
beforeAll(async () => {
  const check = createModelCheck();
  stack = await localSageMaker({
    checkModel: (model) => {
      looked.push(model);
      return check(model);
    },
  });
});
afterAll(() => stack.close());

let count = 0;
async function create(archive: Buffer | undefined, image = IMAGE): Promise<string> {
  const name = `model-${++count}`;
  if (archive !== undefined) stack.objects.put(`${name}.tar.gz`, archive);
  const PrimaryContainer = { Image: image, ModelDataUrl: `s3://bucket/${name}.tar.gz` };
  await stack.client.send(
    new CreateModelCommand({ ModelName: name, ExecutionRoleArn: ROLE, PrimaryContainer }),
  );
  return name;
}

test.each([
  [
    'operations',
    unsupportedModel,
    IMAGE,
    `The model uses operations that cannot be converted: ${UNKNOWN_OPERATION}`,
    'run with `--engine python`',
  ],
  [
    'a package that the script imports',
    () => rowNetwork({ 'code/inference.py': 'import numpy\ndef handler(data, context): ...' }),
    IMAGE,
    'code/inference.py, line 1, imports numpy',
    'run with `--handlers python`',
  ],
  [
    'packages that the archive asks for',
    () => rowNetwork({ 'code/inference.py': '', 'code/requirements.txt': 'pillow' }),
    IMAGE,
    'code/requirements.txt asks for pillow',
    'run with `--handlers python`',
  ],
  [
    'damage',
    () => modelArchive({ '1/saved_model.pb': Buffer.from([0x0a]) }),
    IMAGE,
    'Damaged protocol buffer: field 1 runs past the end',
    'save it again',
  ],
  ['an image', () => rowNetwork(), 'registry/my-own:1', 'repository must be one of', 'tensorflow-inference'],
])('a model is refused for %s, with the remedy', async (_name, archive, image, what, remedy) => {
  const created = create(await archive(), image);
  await expect(created).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringMatching(/^This stack cannot run the model: /),
  });
  await expect(created).rejects.toThrow(what);
  await expect(created).rejects.toThrow(remedy);
  await expect(stack.client.send(new DescribeModelCommand({ ModelName: `model-${count}` }))).rejects.toThrow(
    'Could not find model',
  );
});

test.each([
  ['runs', () => rowNetwork()],
  ['is no archive', () => Buffer.from('zip')],
  ['is not there', () => undefined],
  ['holds no model', () => modelArchive({ 'model.txt': '' })],
  ['has a script with an error', () => rowNetwork({ 'code/inference.py': 'def (' })],
])('a model that %s is created, as in AWS', async (_name, archive) => {
  await expect(create(await archive())).resolves.toMatch(/^model-/);
});

test('an archive is looked at once', async () => {
  const archive = await rowNetwork({ 'code/note.txt': 'once' });
  const before = looked.length;
  for (let time = 0; time < 3; time++) await create(archive);
  expect(looked.length).toBe(before + 1);
});

test('where models run in TensorFlow and scripts in Python, nothing of it is refused', async () => {
  const archive = await unsupportedModel();
  const free = await localSageMaker({
    checkModel: createModelCheck({ engine: 'python', handlers: 'python' }),
  });
  free.objects.put('model.tar.gz', archive);
  const PrimaryContainer = { Image: IMAGE, ModelDataUrl: 's3://bucket/model.tar.gz' };
  await free.client.send(
    new CreateModelCommand({ ModelName: 'model', ExecutionRoleArn: ROLE, PrimaryContainer }),
  );
  await free.close();
});
