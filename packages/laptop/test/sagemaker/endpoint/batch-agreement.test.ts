import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTransformJobCommand, DescribeTransformJobCommand } from '@aws-sdk/client-sagemaker';
import { expect, test } from 'vitest';
import { createContainerHost } from '@inferdrop/model-container/container-host';
import { localEndpoints } from './local-endpoints.ts';

const EXAMPLE = join(import.meta.dirname, '../../../../../examples/fashion-mnist');
const CALLERS = 16;
/** The laboratory `cases` sends all of them each week. */
const IMAGES = process.env['CASES'] === 'all' ? 1000 : 200;

test(`an endpoint answers ${IMAGES} images of the example with the very bytes of batch transform`, async () => {
  const stack = await localEndpoints({ startContainer: createContainerHost() });
  const images = readdirSync(join(EXAMPLE, 'images'))
    .slice(0, IMAGES)
    .map((name) => [name, readFileSync(join(EXAMPLE, 'images', name))] as const);
  for (const [name, bytes] of images) stack.objects.put(`in/${name}`, bytes);
  stack.objects.put('model.tar.gz', readFileSync(join(EXAMPLE, 'model.tar.gz')));
  await stack.makeModel('model', { ModelDataUrl: 's3://bucket/model.tar.gz' });
  await stack.client.send(
    new CreateTransformJobCommand({
      TransformJobName: 'batch',
      ModelName: 'model',
      MaxConcurrentTransforms: CALLERS,
      TransformInput: {
        DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://bucket/in/' } },
        ContentType: 'application/x-image',
      },
      TransformOutput: { S3OutputPath: 's3://bucket/out', Accept: 'application/json' },
      TransformResources: { InstanceType: 'ml.m5.xlarge', InstanceCount: 1 },
    }),
  );
  await stack.makeConfig('config');
  await stack.create('config');
  await stack.idle();
  expect(
    await stack.client.send(new DescribeTransformJobCommand({ TransformJobName: 'batch' })),
  ).toMatchObject({ TransformJobStatus: 'Completed' });

  const differing: string[] = [];
  const left = images.values();
  const caller = async (): Promise<void> => {
    for (const [name, bytes] of left) {
      const answer = await stack.invoke(bytes, {
        ContentType: 'application/x-image',
        Accept: 'application/json',
      });
      if (answer.text !== stack.objects.text(`out/${name}.out`)) differing.push(name);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  await stack.close();
  expect([images.length, differing]).toEqual([IMAGES, []]);
});
