import { expect, test } from 'vitest';
import { jsonDocuments } from '../../../src/prediction/json-documents.ts';
import { toText } from '../../../src/prediction/output-text.ts';
import type { Prediction } from '../../../src/prediction/prediction.ts';
import { eachPrediction, readOutput } from '../../../src/prediction/read-output.ts';

const image = { scoreCount: 3, oneRecord: true };
const table = { scoreCount: 3, oneRecord: false };
const binary = { scoreCount: 2, oneRecord: true, single: 'score' } as const;
const undecided = { ...binary, single: 'either' } as const;
const read = (text: string, shape = image) => readOutput(Buffer.from(text), shape).map(plain);
const plain = ({ scores, ...rest }: Prediction) =>
  scores === undefined ? rest : { ...rest, scores: Array.from(scores) };

test.each([
  [
    'TensorFlow Serving, one output',
    '{\n    "predictions": [[0.2, 0.5, 0.3]\n    ]\n}',
    [{ scores: [0.2, 0.5, 0.3] }],
  ],
  [
    'the same with newlines stripped',
    '{    "predictions": [[0.2, 0.5, 0.3]    ]}',
    [{ scores: [0.2, 0.5, 0.3] }],
  ],
  [
    'named outputs',
    '{"predictions":[{"classes":1,"probabilities":[0.2,0.5,0.3]}]}',
    [{ label: 1, scores: [0.2, 0.5, 0.3] }],
  ],
  [
    'named outputs in the other order',
    '{"predictions":[{"probabilities":[0.2,0.5,0.3],"classes":1}]}',
    [{ label: 1, scores: [0.2, 0.5, 0.3] }],
  ],
  ['columns', '{"outputs":[[0.2,0.5,0.3]]}', [{ scores: [0.2, 0.5, 0.3] }]],
  [
    'named columns',
    '{"outputs":{"classes":[1],"probabilities":[[0.2,0.5,0.3]]}}',
    [{ label: 1, scores: [0.2, 0.5, 0.3] }],
  ],
  ['PyTorch’s class index', '{"predictions":7}', [{ label: 7 }]],
  ['an index as a float', '{"predictions":[2.0]}', [{ label: 2 }]],
  ['scores wrapped by a handler', '{"predictions":[0.2,0.5,0.3]}', [{ scores: [0.2, 0.5, 0.3] }]],
  ['whole-number scores wrapped by a handler', '{"predictions":[0,1,0]}', [{ scores: [0, 1, 0] }]],
  ['a bare list', '[0.2,0.5,0.3]', [{ scores: [0.2, 0.5, 0.3] }]],
  ['a bare batch of one', '[[0.2,0.5,0.3]]', [{ scores: [0.2, 0.5, 0.3] }]],
  ['whole-number scores of one image', '[0,1,0]', [{ scores: [0, 1, 0] }]],
  ['a bare index', '4', [{ label: 4 }]],
  ['a bare name', '"cat"', [{ label: 'cat' }]],
  ['a name with its score', '{"label":"cat","score":0.8}', [{ label: 'cat', confidence: 0.8 }]],
  ['an index and its name', '{"class_id":1,"label":"cat"}', [{ label: 1 }]],
  ['named outputs within a list', '{"predictions":[[{"label":"cat"}]]}', [{ label: 'cat' }]],
  ['an output by any name', '{"predictions":[{"dense_1":[0.2,0.5,0.3]}]}', [{ scores: [0.2, 0.5, 0.3] }]],
  ['batch dimensions of one', '{"predictions":[[[[0.2,0.5,0.3]]]]}', [{ scores: [0.2, 0.5, 0.3] }]],
])('%s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  ['a row of one number', '{"predictions": [[0.73]]}', [{ second: 0.73 }]],
  ['a number', '{"predictions": [0.73]}', [{ second: 0.73 }]],
  ['a number by itself', '0.73', [{ second: 0.73 }]],
  ['a list of one', '[0.73]', [{ second: 0.73 }]],
  ['nested lists of one', '[[0.73]]', [{ second: 0.73 }]],
  ['a column', '{"outputs": [[0.73]]}', [{ second: 0.73 }]],
  ['a named column', '{"outputs": {"dense_1": [[0.73]]}}', [{ second: 0.73 }]],
  ['a named output', '{"predictions": [{"dense_1": [0.73]}]}', [{ second: 0.73 }]],
  ['an output named as scores', '{"probabilities": [0.73], "model": "m"}', [{ second: 0.73 }]],
  ['an output named as a class', '{"prediction": 0.73}', [{ second: 0.73 }]],
  ['a probability beside other fields', '{"probability": 0.73, "model": "m"}', [{ second: 0.73 }]],
  ['a saturated sigmoid', '{"predictions": [[1.0]]}', [{ second: 1 }]],
  ['a tiny probability', '1e-12', [{ second: 1e-12 }]],
  ['a class with its probability', '{"label": "dog", "score": 0.73}', [{ label: 'dog', confidence: 0.73 }]],
  [
    'an index with its probability',
    '{"class": 1, "probabilities": [0.73]}',
    [{ label: 1, confidence: 0.73 }],
  ],
  ['two scores', '[0.27, 0.73]', [{ scores: [0.27, 0.73] }]],
  ['a name', '"dog"', [{ label: 'dog' }]],
])('one sigmoid: %s', (_, text, expected) => {
  expect(read(text, binary)).toEqual(expected);
  expect(read(text, undecided)).toEqual(expected);
});

test('where only the answer can tell, a number without a decimal point is the index of a class', () => {
  expect(read('{"predictions": [1]}', undecided)).toEqual([{ label: 1 }]);
  expect(read('{"predictions": [[0]]}', undecided)).toEqual([{ label: 0 }]);
  expect(read('{"prediction": 1}', undecided)).toEqual([{ label: 1 }]);
});

test.each([
  ['a flat list of rows', '{"predictions": [0.7, 0.2]}', [0.7, 0.2]],
  ['rows', '{"predictions": [[0.7], [0.2], [1.0]]}', [0.7, 0.2, 1]],
  ['a bare batch', '[0.7, 0.2, 1.0]', [0.7, 0.2, 1]],
  ['lines', '0.7\n0.2\n1.0\n', [0.7, 0.2, 1]],
])('many records of one sigmoid: %s', (_, text, expected) => {
  expect(read(text, { ...undecided, oneRecord: false })).toEqual(expected.map((second) => ({ second })));
});

test('bare NaN and infinities are numbers', () => {
  expect(read('{"predictions":[[NaN, Infinity, -Infinity]]}')).toEqual([
    { scores: [Number.NaN, Infinity, -Infinity] },
  ]);
});

test.each([
  ['JSON Lines', '{"predictions":[[1,0,0]]}\n{"predictions":[[0,1,0]]}\n'],
  ['documents glued together', '{"predictions":[[1,0,0]]}{"predictions":[[0,1,0]]}'],
  ['one document of two rows', '{"predictions":[[1,0,0],[0,1,0]]}'],
  ['two columns', '{"outputs":[[1,0,0],[0,1,0]]}'],
  ['lists on lines', '[1.0,0,0.0]\n[0,1,0.5]'.replace('0.5', '0.0')],
])('two records as %s', (name, text) => {
  if (name === 'lists on lines') {
    // Whole numbers, as many as classes: scores of one record, or three indexes? Both are possible.
    expect(() => read(text, table)).toThrow('bare list of 3 whole numbers');
    return;
  }
  expect(read(text, table)).toEqual([{ scores: [1, 0, 0] }, { scores: [0, 1, 0] }]);
});

test.each([
  ['a column of each output', '{"outputs":{"classes":[1,2],"score":[0.7,0.6]}}', [0.7, 0.6]],
  ['a column and a value of the one record', '{"outputs":{"classes":[1],"score":0.7}}', [0.7]],
])('named columns: %s', (_, text, scores) => {
  expect(read(text, table)).toEqual(scores.map((confidence, at) => ({ label: at + 1, confidence })));
});

test.each([
  ['{"outputs":2}', [{ label: 2 }]],
  ['{"outputs":"cat"}', [{ label: 'cat' }]],
  ['{"outputs":{"classes":1}}', [{ label: 1 }]],
  ['{"predictions":[[3]]}', [{ label: 3 }]],
  ['[3]', [{ label: 3 }]],
  ['[[0.1,0.7,0.2],[0.3,0.3,0.4]]', [{ scores: [0.1, 0.7, 0.2] }, { scores: [0.3, 0.3, 0.4] }]],
  ['[2,0,1,1]', [{ label: 2 }, { label: 0 }, { label: 1 }, { label: 1 }]],
  ['["cat","dog"]', [{ label: 'cat' }, { label: 'dog' }]],
  ['[0.1,0.7,0.2]', [{ scores: [0.1, 0.7, 0.2] }]],
  ['[0.5,0,0.5]', [{ scores: [0.5, 0, 0.5] }]],
  ['{"x":[0.1,0.7,0.2]}\n{"x":[0.3,0.3,0.4]}', [{ scores: [0.1, 0.7, 0.2] }, { scores: [0.3, 0.3, 0.4] }]],
])('in files of many records %s is read as %j', (text, expected) => {
  expect(read(text, table)).toEqual(expected);
});

test('a bare list of one sigmoid is a number a record, or the scores of two classes', () => {
  const many = { ...binary, oneRecord: false };
  expect(read('[0.7,0.2,1]', many)).toEqual([{ second: 0.7 }, { second: 0.2 }, { second: 1 }]);
  expect(read('[0.3,0.7]', many)).toEqual([{ scores: [0.3, 0.7] }]);
  expect(read('{"predictions":[0.3,0.7]}', many)).toEqual([{ second: 0.3 }, { second: 0.7 }]);
});

test.each([
  [999, 2],
  [1_000, 2],
  [1_001, 2],
])('an output of %d documents is read from its first to its last, %d times', (count, times) => {
  const predictions = eachPrediction(Buffer.from('[0.1,0.7,0.2]\n'.repeat(count - 1) + '"last"'), table);
  for (let time = 0; time < times; time++) {
    const read = [...predictions];
    expect([read.length, read[0]?.scores, read.at(-1)]).toEqual([count, [0.1, 0.7, 0.2], { label: 'last' }]);
  }
});

test('a flat list of whole numbers is one class a record, as TensorFlow Serving defines it', () => {
  expect(read('{"predictions":[2,0,1,1]}', table)).toEqual([
    { label: 2 },
    { label: 0 },
    { label: 1 },
    { label: 1 },
  ]);
});

test.each([
  ['{"predictions":[0.83]}', 'ambiguous-output', 'for pipelines with two classes'],
  [
    '1.5',
    'ambiguous-output',
    /number 1.5, which is neither a class index nor one score per class. If .*regression.*set "labels" to null in pipeline.json$/,
  ],
  ['-0.5', 'ambiguous-output', /number -0.5, .* one score per class/],
  ['{"predictions":[2,0,1,1]}', 'wrong-record-count', '4 predictions for one record'],
  ['{"predictions":[[]]}', 'unreadable-output', 'empty list where scores belong'],
  ['{"outputs":null}', 'unreadable-output', 'null where a prediction belongs'],
  ['{"outputs":{}}', 'unreadable-output', 'have different lengths'],
  ['{"predictions":[[0.2,0.5,0.3],[0.1,0.8,0.1]]}', 'wrong-record-count', '2 predictions for one record'],
  ['{"a":[1,2],"b":3}', 'ambiguous-output', 'fields a, b'],
  ['{"classes":[1,2],"probabilities":[0.2,0.5,0.3]}', 'ambiguous-output', 'classes has 2 values'],
  ['{"class":1,"prediction":2}', 'ambiguous-output', 'several classes: 1, 2'],
  ['{"error":"Unable to decode bytes"}', 'model-error', 'Unable to decode bytes'],
  ['{"predictions":[null]}', 'unreadable-output', 'null'],
  ['{"predictions":[[0.1,"x",0.2]]}', 'unreadable-output', 'mixed'],
  ['{"predictions":[[[0.1,0.2],[0.3,0.4]]]}', 'unreadable-output', 'nested'],
  ['{"predictions":[[{"label":"cat"},{"label":"dog"}]]}', 'unreadable-output', 'nested'],
  ['{"predictions":[]}', 'unreadable-output', 'empty'],
  ['{"predictions":[NaN]}', 'not-a-number', 'NaN'],
  ['', 'unreadable-output', 'empty'],
  ['   \n', 'unreadable-output', 'empty'],
  ['{"predictions":[[0.2,0.5', 'unreadable-output', 'no ","'],
  ['<html>502</html>', 'unreadable-output', 'not JSON'],
  [`${'['.repeat(200)}1${']'.repeat(200)} x`, 'unreadable-output', 'levels deep'],
])('%s is refused, not guessed', (text, reason, words) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({
      name: 'OutputError',
      reason,
      message: typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
    }),
  );
});

test('bytes that are no UTF-8 are refused', () => {
  expect(() => readOutput(Uint8Array.of(0x22, 0xff, 0x22), image)).toThrow('not UTF-8');
});

test('columns of different lengths are refused', () => {
  expect(() => read('{"outputs":{"classes":[1,2],"probabilities":[[0.2,0.5,0.3]]}}', table)).toThrow(
    'different lengths: 2, 1',
  );
});

test.each([
  ['{"predictions":[0.1,0.7,0.2]}', 'flat list of 3 numbers: one score per class, or one value per record?'],
  ['{"outputs":[0.1,0.7,0.2]}', 'flat list of 3 numbers'],
  ['[0,1,2]', 'bare list of 3 whole numbers: one score per class, or one class index per record?'],
])('in files of many records %s is refused, not guessed', (text, words) => {
  expect(() => read(text, table)).toThrow(
    expect.objectContaining({ reason: 'ambiguous-output', message: expect.stringContaining(words) }),
  );
});

test.each([
  ['{"predictions":[[0.2,0.5,0.2,0.1]]}', image, /expect 3 scores.*has 4/],
  ['{"predictions":[0.5,0,0.25,0.25]}', image, /expect 3 scores.*has 4/],
  ['[0.25,0.75]', table, /expect 3 scores.*has 2/],
  ['[0.1,0.2,0.7]', binary, /expect 2 scores.*has 3/],
])('a record of another number of scores is a fault of the whole run: %s', (text, shape, message) => {
  expect(() => read(text, shape)).toThrow(
    expect.objectContaining({ name: 'ClassCountMismatch', message: expect.stringMatching(message) }),
  );
});

test('where one class has a score, a list of one number is its score', () => {
  expect(read('{"predictions":[[0.7]]}', { ...image, scoreCount: 1 })).toEqual([{ scores: [0.7] }]);
});

test('documents are read one by one', () => {
  expect(Iterator.from(jsonDocuments('{"a":1} and then no JSON')).next().value).toEqual({ a: 1 });
});

test('an output longer than a string says so', () => {
  const long = { length: 600_000_000 } as Uint8Array;
  expect(() => toText(long)).toThrow(
    expect.objectContaining({
      reason: 'unreadable-output',
      message: expect.stringContaining('the output has 600000000 bytes, at most'),
    }),
  );
});

test('documents of many lines, glued and strict, are the same as one by one', () => {
  const text = '[0, 1]\r\n\n{"a": [1,\n 2]}[NaN]\n"x"\n\t3 4\n';
  const found = [[0, 1], { a: [1, 2] }, [Number.NaN], 'x', 3, 4];
  expect([...jsonDocuments(text)]).toEqual(found);
  expect(() => [...jsonDocuments(`${text}{"b": }\n`)]).toThrow(`at character ${text.length + 6}`);
});

test.each(['[[1.0]]\n[[0.93]]\n', '1.0\n0.0\n0.93\n', '{"predictions": [[1.0], [0.0], [0.93]]}'])(
  'of a sigmoid, numbers that are whole by chance are refused like the others: %j',
  (text) => {
    expect(() => read(text, table)).toThrow('the single number 0.93');
  },
);
