import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDataProcessing } from '../../../packages/laptop/sagemaker/transform/data-processing/data-processing.ts';
import { truthInRecord } from '../../../src/label/truth-in-record.ts';
import { type JoinedShape, readJoinedOutput } from '../../../src/prediction/joined-output.ts';
import { type JsonPath, parseJsonPath } from '../../../src/prediction/json-path.ts';
import { OutputError as AnError, type OutputError } from '../../../src/prediction/output-error.ts';

const SHAPE = { scoreCount: 3, oneRecord: false };
const JSON_LINES: JoinedShape = { format: 'json', lines: true, inputColumns: 0 };
const csv = (inputColumns: number): JoinedShape => ({ format: 'csv', lines: true, inputColumns });
const read = (text: string, joined: JoinedShape) => [...readJoinedOutput(Buffer.from(text), joined, SHAPE)];
const path = (text: string) => parseJsonPath(text) as JsonPath;
const reasonOf = (prediction: unknown) =>
  prediction instanceof AnError ? (prediction as OutputError).reason : prediction;

describe('JSON', () => {
  test.each<[string, unknown, unknown]>([
    [
      '{"label":2,"SageMakerOutput":{"predictions":[[0.1,0.2,0.7]]}}',
      { label: 2 },
      { scores: [0.1, 0.2, 0.7] },
    ],
    ['{"SageMakerInput":[2,1.5],"SageMakerOutput":[0.1,0.2,0.7]}', [2, 1.5], { scores: [0.1, 0.2, 0.7] }],
    ['{"SageMakerInput":2,"a":1,"SageMakerOutput":1}', { a: 1, SageMakerInput: 2 }, { label: 1 }],
    ['{"label":2,"SageMakerOutput":[0,1,0]}', { label: 2 }, { scores: [0, 1, 0] }],
    ['{"label":2,"SageMakerOutput":1}', { label: 2 }, { label: 1 }],
    ['{"label":2,"SageMakerOutput":"cat"}', { label: 2 }, { label: 'cat' }],
    ['{"SageMakerOutput":1}', {}, { label: 1 }],
    ['{"a":1,"SageMakerInput":2,"SageMakerOutput":1}', { a: 1, SageMakerInput: 2 }, { label: 1 }],
    [
      '{"label":2,"SageMakerOutput":{"predictions":[[0.1,NaN,0.7]]}}',
      { label: 2 },
      { scores: [0.1, NaN, 0.7] },
    ],
    ['{"label":2,"SageMakerOutput":{"error":"no"}}', { label: 2 }, 'model-error'],
    ['{"label":2,"SageMakerOutput":{"predictions":[1,2]}}', { label: 2 }, 'wrong-record-count'],
    ['{"label":2,"SageMakerOutput":{"predictions":[]}}', { label: 2 }, 'wrong-record-count'],
    ['{"label":2,"SageMakerOutput":null}', { label: 2 }, 'unreadable-output'],
    ['{"label":2}', undefined, 'unreadable-output'],
    ['{"label":2', undefined, 'unreadable-output'],
    ['[1]', undefined, 'unreadable-output'],
    ['null', undefined, 'unreadable-output'],
    ['{"label":2,"SageMakerOutput":1} {}', undefined, 'unreadable-output'],
  ])('%s', (line, input, prediction) => {
    const around = '{"label":0,"SageMakerOutput":0}';
    const [before, record, after] = read(`${around}\n${line}\n${around}\n`, JSON_LINES);
    expect([record!.input, reasonOf(record!.prediction)]).toEqual([input, prediction]);
    for (const other of [before, after])
      expect(other).toEqual({ input: { label: 0 }, prediction: { label: 0 } });
  });

  test('an object that is one record may have line breaks', () => {
    const text = '{\n  "label": 1,\n  "SageMakerOutput": {"predictions": [[0, 1, 0]]}\n}\n';
    expect(read(text, { ...JSON_LINES, lines: false })).toEqual([
      { input: { label: 1 }, prediction: { scores: [0, 1, 0] } },
    ]);
  });

  test('another number of scores than classes ends the run', () => {
    expect(() => read('{"SageMakerOutput":[0.1,0.2]}', JSON_LINES)).toThrow(
      expect.objectContaining({ name: 'ClassCountMismatch' }),
    );
  });
});

describe('CSV', () => {
  test.each<[string, string, readonly unknown[]]>([
    ['scores', '2,a,0.1,0.2,0.7\n1,b,0,1,0\n', [{ scores: [0.1, 0.2, 0.7] }, { scores: [0, 1, 0] }]],
    ['a class', '2,a,1\r\n1,"b,c",0\r\n', [{ label: 1 }, { label: 0 }]],
    ['a name', '2,a,cat\n1,b,"dog, old"\n', [{ label: 'cat' }, { label: 'dog, old' }]],
    ['a name between spaces', '2,a, cat \n', [{ label: 'cat' }]],
    ['no result', '2,a\n1,b,1\n1,b,1\n', ['unreadable-output', { label: 1 }, { label: 1 }]],
    ['a result of another width', '2,a,1,2\n1,b,3,4\n', ['ambiguous-output', 'ambiguous-output']],
    ['words for scores', '2,a,x,y,z\n', ['ambiguous-output']],
    ['a word among the scores', '2,a,0.1,x,0.2,0.7\n', ['ambiguous-output']],
    ['lines of blanks between the rows', '2,a,1\r\n\r\n \n1,b,0\r\n', [{ label: 1 }, { label: 0 }]],
    ['an empty cell', '2,a,\n', ['unreadable-output']],
    [
      'a cell too many in one row',
      '2,a,1\n1,b,c,0\n1,b,1\n',
      [{ label: 1 }, 'ambiguous-output', { label: 1 }],
    ],
    ['rows of which none is the usual one', '2,a,1\n1,b,0,1,0\n', ['ambiguous-output', 'ambiguous-output']],
  ])('%s', (_, text, predictions) => {
    expect(read(text, csv(2)).map(({ prediction }) => reasonOf(prediction))).toEqual(predictions);
  });

  test('the record is its own cells alone, and none where they cannot be determined', () => {
    expect(read('2,"a""b" ,1\n1,c,d,1\n3, e ,1\n4,"f\rg",1\r\n', csv(2)).map(({ input }) => input)).toEqual([
      ['2', 'a"b'],
      undefined,
      ['3', 'e'],
      ['4', 'f\rg'],
    ]);
  });
});

test.each([
  ['', 'unreadable-output'],
  ['\n \n', 'unreadable-output'],
])('an object of %j has no record', (text, reason) => {
  for (const joined of [JSON_LINES, csv(2)])
    expect(() => read(text, joined)).toThrow(expect.objectContaining({ reason }));
});

test('what is no text costs its object', () => {
  expect(() => readJoinedOutput(Uint8Array.of(0xff, 0x0a), JSON_LINES, SHAPE)).toThrow(
    expect.objectContaining({ reason: 'unreadable-output' }),
  );
});

/** What a container answers about a class, in a form of its own. */
const CSV_ANSWERS = [
  (label: number) => String(label),
  (label: number) => [0, 1, 2].map((index) => (index === label ? 0.9 : 0.05)).join(','),
];
const JSON_ANSWERS = [
  (label: number) =>
    JSON.stringify({ predictions: [[0, 1, 2].map((index) => (index === label ? 0.9 : 0.05))] }),
  (label: number) => JSON.stringify({ predictions: [{ classes: label, probabilities: [0.2, 0.3, 0.5] }] }),
  (label: number) => JSON.stringify([[0, 1, 2].map((index) => (index === label ? 9.5 : -1))]),
  (label: number) => JSON.stringify({ label, score: 0.5 }),
  (label: number) => String(label),
];

interface Sample {
  readonly truth: number;
  readonly said: number;
  readonly note: string;
}
const samples = fc.array(
  fc.record({
    truth: fc.nat(2),
    said: fc.nat(2),
    note: fc.string({ unit: fc.constantFrom('a', ',', '"', '\\', '{', 'ß', ' ', '1') }),
  }),
  { minLength: 1, maxLength: 8 },
);

function joinedBy(type: string, lines: readonly string[], answers: readonly string[]): string {
  const processing = createDataProcessing({
    DataProcessing: { JoinSource: 'Input' },
    TransformInput: {
      DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://b/' } },
      ContentType: type,
      SplitType: 'Line',
    },
    TransformOutput: { S3OutputPath: 's3://b/', Accept: type, AssembleWith: 'Line' },
  })!;
  return lines
    .map((line, index) => {
      const record = { payload: Buffer.from(line), framed: Buffer.from(`${line}\n`) };
      return `${processing.toOutput([record], Buffer.from(answers[index]!)).toString()}\n`;
    })
    .join('');
}

function judge(made: readonly Sample[], text: string, joined: JoinedShape, truth: string): void {
  const records = [...readJoinedOutput(Buffer.from(text), joined, SHAPE)];
  const said = records.map(({ prediction }) => {
    if (prediction instanceof AnError) return prediction.message;
    const { label, scores } = prediction;
    return Number(label ?? Array.from(scores!).indexOf(Math.max(...Array.from(scores!))));
  });
  expect(said).toEqual(made.map((one) => one.said));
  expect(records.map(({ input }) => truthInRecord(input, path(truth)))).toEqual(
    made.map((one) => String(one.truth)),
  );
}

describe('truth and prediction of each record are its own, whatever the form', () => {
  test('CSV', () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const answer = fc.constantFrom(...CSV_ANSWERS);
    fc.assert(
      fc.property(samples, answer, fc.constantFrom('$[0]', '$[-3]'), (made, toAnswer, truth) => {
        const lines = made.map(({ truth, note }) => `${truth},${quoted(note)},1.5`);
        const text = joinedBy(
          'text/csv',
          lines,
          made.map(({ said }) => toAnswer(said)),
        );
        judge(made, text, csv(3), truth);
      }),
    );
  });

  test('JSON Lines of objects and of lists', () => {
    const answer = fc.constantFrom(...JSON_ANSWERS);
    fc.assert(
      fc.property(samples, answer, fc.boolean(), (made, toAnswer, lists) => {
        const lines = made.map(({ truth, note }) =>
          JSON.stringify(lists ? [note, truth] : { note, is: { label: truth }, SageMakerInput: 0 }),
        );
        const text = joinedBy(
          'application/jsonlines',
          lines,
          made.map(({ said }) => toAnswer(said)),
        );
        judge(made, text, JSON_LINES, lists ? '$[1]' : '$.is.label');
      }),
    );
  });
});

test('a label is a name, an index or a truth value; nothing else is one', () => {
  const record = {
    name: ' cat ',
    index: 3,
    float: 3.0,
    yes: true,
    none: null,
    empty: ' ',
    list: [1],
    nan: NaN,
  };
  const found = Object.keys(record).map((name) => truthInRecord(record, path(`$.${name}`)));
  expect(found).toEqual(['cat', '3', '3', 'true', undefined, undefined, undefined, undefined]);
  expect(truthInRecord(undefined, path('$.name'))).toBeUndefined();
});

describe('one sigmoid', () => {
  const shape = { scoreCount: 2, oneRecord: false, single: 'either' } as const;
  const answers = (text: string, joined: JoinedShape) =>
    [...readJoinedOutput(Buffer.from(text), joined, shape)].map(({ prediction }) => prediction);

  test('JSON', () => {
    const text = '{"x":0.5,"SageMakerOutput":{"predictions":[[0.7]]}}\n{"x":0.5,"SageMakerOutput":[1.0]}\n';
    expect(answers(text, JSON_LINES)).toEqual([{ second: 0.7 }, { second: 1 }]);
  });

  test('numbers of the record say nothing of the answer', () => {
    expect(answers('{"x":0.5,"SageMakerOutput":{"predictions":[1]}}', JSON_LINES)).toEqual([{ label: 1 }]);
  });

  test('CSV', () => {
    expect(answers('0.5,3,0.7\n0.5,4,1.0\n0.5,4,1\n', csv(2))).toEqual([
      { second: 0.7 },
      { second: 1 },
      { label: 1 },
    ]);
  });
});
