import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGzip, gunzipSync } from 'node:zlib';
import {
  CreateTrainingJobCommand,
  type CreateTrainingJobCommandInput,
  DescribeTrainingJobCommand,
  waitUntilTrainingJobCompletedOrStopped,
} from '@aws-sdk/client-sagemaker';
import { extract, pack } from 'tar-stream';
import {
  type HostFolders,
  type TrainingEnd,
  TrainingRefused,
} from '@inferdrop/training-container/training-request';
import type { HostsRequest, TrainingHosts } from '../../../sagemaker/training/training-hosts.ts';
import { localSageMaker, ROLE } from '../local-sagemaker.ts';

export const TRAINING_IMAGE = '763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:1.5.0-cpu-py3';

/** What the script of a test sees of its job. */
export interface FakeRun {
  readonly request: HostsRequest;
  readonly hosts: readonly HostFolders[];
  readonly print: (host: string, text: string) => void;
  readonly stop: AbortSignal;
}

type Script = (run: FakeRun) => Promise<TrainingEnd | void>;

/** Hosts that are folders alone: the test is the script. */
export function fakeHosts(script: Script): TrainingHosts {
  return {
    mode: 'portable',
    async runtimeOf({ framework }) {
      if (framework === 'tensorflow') throw new TrainingRefused(['tensorflow is not installed']);
      return { framework, version: '1.13.1', python: '/opt/python', pythonVersion: '3.11.7' };
    },
    async prepare({ root, hostCount }) {
      const hosts = Array.from({ length: hostCount }, (_, index) => {
        const host = `algo-${index + 1}`;
        const optMl = join(root, host, 'opt', 'ml');
        const below = (name: string) => join(optMl, ...name.split('/'));
        const data = below('input/data');
        const outputData = below('output/data');
        return {
          host,
          optMl,
          data,
          model: below('model'),
          outputData,
          code: below('code'),
          checkpoints: below('checkpoints'),
        };
      });
      for (const { data, model, outputData, code, checkpoints } of hosts)
        for (const folder of [data, model, outputData, code, checkpoints])
          await mkdir(folder, { recursive: true });
      return hosts;
    },
    run: async (request, hosts, on, stop) =>
      (await script({ request, hosts, print: on.line, stop })) ?? { exitCodes: {} },
  };
}

/** A job on one host with the objects below `s3://bucket/in/` as channel `training`. */
export function trainingInput(
  name: string,
  changes: Partial<CreateTrainingJobCommandInput> = {},
): CreateTrainingJobCommandInput {
  return {
    TrainingJobName: name,
    RoleArn: ROLE,
    AlgorithmSpecification: { TrainingImage: TRAINING_IMAGE, TrainingInputMode: 'File' },
    InputDataConfig: [channel('training', 's3://bucket/in/')],
    OutputDataConfig: { S3OutputPath: 's3://bucket/' },
    ResourceConfig: { InstanceCount: 1, InstanceType: 'ml.c4.xlarge', VolumeSizeInGB: 30 },
    StoppingCondition: { MaxRuntimeInSeconds: 3600 },
    ...changes,
  };
}

type Channel = NonNullable<CreateTrainingJobCommandInput['InputDataConfig']>[number];
type S3Source = NonNullable<NonNullable<Channel['DataSource']>['S3DataSource']>;

export function channel(name: string, uri: string, changes: Partial<S3Source> = {}): Channel {
  return {
    ChannelName: name,
    DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: uri, ...changes } },
  };
}

/** SageMaker whose training jobs do what the test says. */
export async function localTrainings(script: Script, options: Parameters<typeof localSageMaker>[0] = {}) {
  const stack = await localSageMaker({ ...options, trainingHosts: fakeHosts(script) });
  stack.objects.put('in/a.txt', 'a');
  const create = (name: string, changes: Partial<CreateTrainingJobCommandInput> = {}) =>
    stack.client.send(new CreateTrainingJobCommand(trainingInput(name, changes)));
  const describe = (name: string) =>
    stack.client.send(new DescribeTrainingJobCommand({ TrainingJobName: name }));
  return {
    ...stack,
    create,
    describe,
    /** Runs a job to its end and describes it. */
    async run(name: string, changes: Partial<CreateTrainingJobCommandInput> = {}) {
      await create(name, changes);
      await stack.idle();
      await waitUntilTrainingJobCompletedOrStopped(
        { client: stack.client, maxWaitTime: 1 },
        { TrainingJobName: name },
      ).catch(() => undefined);
      return describe(name);
    },
    /** Names and contents of a stored `tar.gz`. */
    async untar(key: string): Promise<Record<string, string>> {
      const found: Record<string, string> = {};
      const entries = Readable.from([gunzipSync((await stack.objects.read('bucket', key))!)]).pipe(extract());
      for await (const entry of entries) found[entry.header.name] = await text(entry);
      return found;
    },
  };
}

/** A `tar.gz` of texts by name. */
export async function tarGz(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, text] of Object.entries(files)) archive.entry({ name }, text);
  archive.finalize();
  return Buffer.concat(await Array.fromAsync(archive.pipe(createGzip())));
}
