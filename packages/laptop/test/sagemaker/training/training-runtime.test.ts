import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeEngine } from '@inferdrop/model-container/internal/engine-environment';
import { processHosts } from '../../../sagemaker/training/training-hosts.ts';
import {
  legacyVariables,
  parseTrainingImage,
  runtimeRemark,
  runtimeText,
} from '../../../sagemaker/training/training-runtime.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let cache: string;
beforeEach(() => {
  cache = temporaryFolder('cache-');
  vi.stubEnv('INFERDROP_CACHE', cache);
});
afterEach(() => vi.unstubAllEnvs());

/** A program that answers as an interpreter would. */
function interpreter(file: string, framework: string | undefined): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(
    file,
    `#!/bin/sh\necho python 3.11.7\n${framework === undefined ? '' : `echo framework ${framework}`}\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

const hosts = (pythons = {}) =>
  processHosts({ mode: 'portable', environmentsDir: path.join(cache, 'environments'), pythons });
const textOf = async (job: Parameters<ReturnType<typeof hosts>['runtimeOf']>[0], pythons = {}) =>
  runtimeText(await hosts(pythons).runtimeOf(job));

test('jobs with MPI run where Horovod is, others in the installed framework', async () => {
  const mpi = { framework: 'tensorflow', hyperparameters: { sagemaker_mpi_enabled: 'true' } } as const;
  const plain = { framework: 'tensorflow', hyperparameters: {} } as const;
  await expect(textOf(plain)).rejects.toThrow('run "inferdrop containers install tensorflow"');
  interpreter(describeEngine('tensorflow').python, '2.21.0');
  expect(await textOf(mpi)).toBe('TensorFlow 2.21.0 / Python 3.11.7');
  interpreter(describeEngine('tensorflow-horovod').python, '2.15.1');
  expect(await textOf(mpi)).toBe('TensorFlow 2.15.1 / Python 3.11.7');
  expect(await textOf(plain)).toBe('TensorFlow 2.21.0 / Python 3.11.7');
});

test('an interpreter of one’s own goes before the installed ones, with the framework or without', async () => {
  const own = interpreter(path.join(cache, 'own', 'python'), undefined);
  const job = { framework: 'pytorch', hyperparameters: {} } as const;
  expect(await textOf(job, { pytorch: own })).toBe('no PyTorch / Python 3.11.7');
  writeFileSync(own, '#!/bin/sh\nexit 3\n');
  await expect(textOf(job, { pytorch: own })).rejects.toThrow('must be a Python, it ended with code 3');
});

test.each([
  ['1.dkr.ecr.us-east-1.amazonaws.com/tensorflow-training:2.12.0-gpu-py310', 'tensorflow', '2.12.0'],
  ['1.dkr.ecr.us-east-1.amazonaws.com/tensorflow-training:1.13-gpu-py3', 'tensorflow', '1.13'],
  [
    '1.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.6.0-cpu-py312-ubuntu22.04-sagemaker',
    'pytorch',
    '2.6.0',
  ],
  ['1.dkr.ecr.us-east-1.amazonaws.com/pytorch-training@sha256:00', 'pytorch', undefined],
  ['r/pytorch-training:latest', 'pytorch', undefined],
])('%s has a framework and a version', (image, framework, version) => {
  expect(parseTrainingImage(image)).toEqual({ framework, ...(version !== undefined && { version }) });
});

test.each([
  ['2.1.0', '2.21.0', true, true],
  ['2.15', '2.16.1', true, true],
  ['2.16.2', '2.21.0', true, false],
  ['2.12.0', '2.15.1', true, false],
  ['2.12.0', '2.21.0', false, false],
  [undefined, '2.21.0', true, false],
])('an image with TensorFlow %s has its Keras in TensorFlow %s with tf-keras (%s): %s', (...row) => {
  const [asked, version, hasLegacy, isSet] = row;
  const runtime = {
    framework: 'tensorflow',
    python: '/p',
    pythonVersion: '3.11.7',
    version,
    hasLegacy,
  } as const;
  expect(legacyVariables(asked, runtime)).toEqual(isSet ? { TF_USE_LEGACY_KERAS: '1' } : {});
  const image = { framework: 'tensorflow', ...(asked !== undefined && { version: asked }) } as const;
  expect(runtimeRemark(image, runtime).endsWith('(/p), with Keras 2 as in the image')).toBe(isSet);
});
