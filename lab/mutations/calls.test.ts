import { afterAll, beforeAll, expect, test } from 'vitest';
import { sageMaker } from '../../src/aws/sagemaker/sagemaker.ts';
import { type Laptop, startLaptop } from '../../test/support/laptop.ts';
import { CALL_MISTAKES, type CallPlace } from './call-mistakes.ts';
import { mistakeTable } from './mistake-table.ts';

const table = mistakeTable('3-calls');
let laptop: Laptop;
let place: CallPlace;
beforeAll(async () => {
  laptop = await startLaptop();
  const { outputs, resources } = laptop.stack.find('inferdrop-dev');
  const output = (name: string) => outputs.find(({ key }) => key === name)!.value;
  place = {
    bucket: laptop.application.bucket,
    modelName: 'model',
    topicArn: output('TopicArn'),
    queueUrl: output('UploadQueueUrl'),
    machineArn: output('StateMachineArn'),
  };
  await laptop.givePipeline('p');
  await laptop.application.store.write('shared/x.png', 'x');
  const role = resources.find(({ logicalId }) => logicalId === 'ModelRole')!.made!.attributes['Arn'];
  await sageMaker().createModel({
    name: 'model',
    roleArn: String(role),
    imageUri: '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19-cpu',
    artifactUri: `s3://${place.bucket}/pipelines/p/model.tar.gz`,
    environment: {},
    networkIsolation: true,
  });
});
afterAll(async () => {
  table.write();
  await laptop.close();
});

test.each(CALL_MISTAKES)('$mistake', async ({ mistake, send, says }) => {
  const said = await send(place).then(
    () => 'nothing',
    (error: Error) => `${error.name}: ${error.message}`,
  );
  table.add({ mistake, seenBy: 'call', said, aws: says });
  expect(said).toMatch(says);
});
