import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installEngine } from '@inferdrop/model-container/engine-environment';
import { createDataProcessing } from '../../packages/laptop/sagemaker/transform/data-processing/data-processing.ts';
import { type JoinedShape, readJoinedOutput } from '../../src/prediction/joined-output.ts';
import { startTestContainer } from './python-container.ts';

/** Three probabilities from two numbers; all but the model is the toolkit's own default. */
const MODEL = `
import torch

def model_fn(model_dir):
    network = torch.nn.Linear(2, 3, bias=False).requires_grad_(False)
    network.weight[:] = torch.tensor([[1., 0.], [0., 1.], [-1., -1.]])
    return torch.nn.Sequential(network, torch.nn.Softmax(dim=-1))
`;
const SHAPE = { scoreCount: 3, oneRecord: false };

type Ask = Awaited<ReturnType<typeof startTestContainer>>['ask'];
let ask: Ask;
let stop: () => Promise<void>;
beforeAll(async () => {
  await installEngine('pytorch', () => undefined);
  const archive = { 'code/inference.py': MODEL, 'model.pth': '' };
  const image = 'r/pytorch-inference:2.6.0-cpu-py312';
  const started = await startTestContainer(image, archive, {}, { SAGEMAKER_MODEL_SERVER_WORKERS: '1' });
  ask = started.ask;
  stop = () => started.container.stop();
}, 600_000);
afterAll(() => stop());

/** Output that a job stores for one request of these records, each of which begins with its label. */
async function joined(type: string, lines: readonly string[]): Promise<Buffer> {
  const processing = createDataProcessing({
    DataProcessing: { InputFilter: '$[1:]', JoinSource: 'Input' },
    TransformInput: {
      DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://b/' } },
      ContentType: type,
      SplitType: 'Line',
    },
    TransformOutput: { S3OutputPath: 's3://b/', Accept: type, AssembleWith: 'Line' },
  })!;
  const records = lines.map((line) => ({ payload: Buffer.from(line), framed: Buffer.from(`${line}\n`) }));
  const sent = records.map((record) => processing.filterInput(record));
  const [only] = sent;
  const body = sent.length === 1 ? only!.payload : Buffer.concat(sent.map(({ framed }) => framed));
  const answer = await ask('/invocations', body.toString(), { 'content-type': type, accept: type });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return processing.toOutput(records, Buffer.from(answer.text));
}

const winners = (output: Buffer, shape: JoinedShape) =>
  Array.from(readJoinedOutput(output, shape, SHAPE), ({ input, prediction }) => {
    const scores = Array.from('scores' in prediction ? prediction.scores! : []);
    return [(input as unknown[])[0], scores.indexOf(Math.max(...scores))];
  });

describe("answers of PyTorch's own functions, joined with their records", () => {
  const json: JoinedShape = { format: 'json', lines: true, inputColumns: 0 };
  const csv: JoinedShape = { format: 'csv', lines: true, inputColumns: 3 };

  test('JSON, one record a request', async () => {
    expect(winners(await joined('application/json', ['["x", 3, 1]']), json)).toEqual([['x', 0]]);
    expect(winners(await joined('application/json', ['["y", 1, 3]']), json)).toEqual([['y', 1]]);
  });

  test('CSV, several rows a request', async () => {
    const output = await joined('text/csv', ['x,3,1', 'y,1,3', 'z,-1,-3']);
    expect(winners(output, csv)).toEqual([
      ['x', 0],
      ['y', 1],
      ['z', 2],
    ]);
  });

  test('CSV, one row a request: a vector is written as a column, which SageMaker cannot join', async () => {
    await expect(joined('text/csv', ['x,3,1'])).rejects.toThrow(
      'must answer 1 records with as many results, gave 3',
    );
  });
});
