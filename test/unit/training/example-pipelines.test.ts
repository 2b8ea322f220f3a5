import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { askedChannels } from '../../../src/training/asked-channel.ts';
import { judgeTraining } from '../../../src/training/judge-training.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', '..', 'examples', 'train-fashion-mnist');

test.each(['tensorflow', 'pytorch', 'horovod'])(
  'the example of %s trains on two hosts of an image that has it',
  (name) => {
    const text = readFileSync(path.join(EXAMPLE, name, 'pipeline.json'), 'utf8');
    const parsed = parsePipelineConfig(text);
    const config = 'value' in parsed ? parsed.value : undefined;
    const training = config?.training;
    if (!config || !training) throw new Error(JSON.stringify(parsed));
    const code = path.join(EXAMPLE, name, training.sourceDir);
    const files = readdirSync(code).filter((file) => file.endsWith('.py'));
    const judged = judgeTraining(
      {
        config,
        training,
        hyperparameters: [
          { file: 'pipeline.json', field: 'training.hyperparameters', values: training.hyperparameters },
        ],
        channels: askedChannels(training),
        prices: undefined,
      },
      {
        source: {
          place: 's3://bucket/pipelines/clothes/code/',
          files: files.map((file) => ({ path: file, bytes: 9, etag: 'e' })),
          texts: new Map(files.map((file) => [file, readFileSync(path.join(code, file), 'utf8')])),
        },
        classes: [],
        inputs: new Map([['training', { objects: 800, bytes: 9 }]]),
        place: 's3://bucket/training/clothes/monday/',
        isOwnFolder: true,
        otherFiles: 'none',
        evaluation: { drop: 'held-out', run: 'clothes/held-out/000001', objects: 200 },
        quotas: undefined,
      },
      {
        region: 'us-east-1',
        roleArn: 'arn:role',
        vpc: null,
        kmsKeyArn: null,
        readBuckets: [],
        resourceTags: {},
      },
    );
    expect(judged.problems).toEqual([]);
    expect(judged.image?.uri).toContain(training.framework);
    expect(training.instances.count).toBe(2);
  },
);
