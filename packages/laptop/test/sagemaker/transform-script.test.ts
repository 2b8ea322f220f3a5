import {
  CreateModelCommand,
  CreateTransformJobCommand,
  DescribeTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelArchive } from '../../../model-container/test/support/model-archive.ts';
import { IMAGE, jobInput, localSageMaker, ROLE } from './local-sagemaker.ts';

const SCRIPT = `
import base64, io, json, requests

def input_handler(data, context):
    assert context.request_content_type == 'application/x-image', context
    return json.dumps({'instances': [{'b64': base64.b64encode(data.read()).decode('utf-8')}]})

def output_handler(response, context):
    if response.status_code != 200:
        raise ValueError(response.content.decode('utf-8'))
    return response.content, context.accept_header
`;

let stack: Awaited<ReturnType<typeof localSageMaker>>;
beforeAll(async () => {
  stack = await localSageMaker();
  stack.objects.put(
    'model.tar.gz',
    await modelArchive({ '1538687370/saved_model.pb': 'length', 'code/inference.py': SCRIPT }),
  );
  const PrimaryContainer = { Image: IMAGE, ModelDataUrl: 's3://bucket/model.tar.gz' };
  await stack.client.send(
    new CreateModelCommand({ ModelName: 'model', PrimaryContainer, ExecutionRoleArn: ROLE }),
  );
});
afterAll(() => stack.close());

test('objects go through input_handler, the model and output_handler', async () => {
  stack.objects.put('in/a.png', 'four');
  stack.objects.put('in/deep/b.png', 'sixsix');
  await stack.client.send(new CreateTransformJobCommand(jobInput('pair')));
  await stack.idle();
  const job = await stack.client.send(new DescribeTransformJobCommand({ TransformJobName: 'pair' }));
  expect(job.FailureReason).toBeUndefined();
  expect(job.TransformJobStatus).toBe('Completed');
  expect(stack.objects.text('out/a.png.out')).toBe('{\n    "predictions": [[4.0, 0.25]\n    ]\n}');
  expect(stack.objects.text('out/deep/b.png.out')).toContain('[[6.0, 0.25]');
});
