import { describe, expect, test } from 'vitest';
import { parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { judgeProcessing, type SampledInput } from '../../../src/plan/judge/judge-processing.ts';
import { resolveDataProcessing } from '../../../src/plan/judge/resolve-data-processing.ts';
import { parseJsonPath } from '../../../src/prediction/json-path.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';

const CSV = { contentType: 'text/csv', accept: 'text/csv', splitType: 'Line', assembleWith: 'Line' };
const JSON_LINES = { ...CSV, contentType: 'application/jsonlines', accept: 'application/jsonlines' };
const DOCUMENT = { ...CSV, contentType: 'application/json', accept: 'application/json' };

function resolve(transform: object, truth: object | null) {
  const written = { ...PIPELINE, transform, labels: { ...PIPELINE.labels, truth } };
  const parsed = parsePipelineConfig(JSON.stringify(written));
  if (!('value' in parsed)) throw new Error(JSON.stringify(parsed.problems));
  return resolveDataProcessing(parsed.value, 'job.json');
}
const said = (message: string | RegExp) =>
  typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
const record = (path: string) => ({ from: 'record', path });
const path = (text: string) => {
  const parsed = parseJsonPath(text);
  if ('reason' in parsed) throw new Error(parsed.reason);
  return parsed;
};

describe('what SageMaker is asked for', () => {
  test.each([
    [{}, { from: 'folder' }, undefined],
    [CSV, null, undefined],
    [CSV, record('$[0]'), { filter: '$', truth: '$[0]' }],
    [{ ...CSV, inputFilter: '$[1:]' }, null, { filter: '$[1:]', truth: undefined }],
    [{ ...JSON_LINES, inputFilter: '$.x' }, record('$.y'), { filter: '$.x', truth: '$.y' }],
    [DOCUMENT, record('$.y[0]'), { filter: '$', truth: '$.y[0]' }],
    [{ ...DOCUMENT, splitType: 'None', assembleWith: 'None' }, record('$.y'), { filter: '$', truth: '$.y' }],
  ])('by %j and the labels %j', (transform, truth, asked) => {
    const resolved = resolve(transform, truth);
    expect(resolved.problems).toEqual([]);
    expect(
      resolved.asked && { filter: resolved.asked.filter.text, truth: resolved.asked.truth?.text },
    ).toEqual(asked);
  });

  const WITH = 'with labels.truth.from "record"';
  test.each([
    [
      {},
      record('$.y'),
      'transform.contentType',
      /^must be one of text\/csv, application\/json, application\/jsonlines with labels.truth.from "record", is "application\/x-image": .*images have their labels/,
    ],
    [
      { inputFilter: '$.x' },
      null,
      'transform.contentType',
      / with transform.inputFilter, is "application\/x-image"/,
    ],
    [
      { ...CSV, accept: 'application/json' },
      record('$[0]'),
      'transform.accept',
      `must be the same as transform.contentType "text/csv" ${WITH}, is "application/json"`,
    ],
    [
      { ...CSV, splitType: 'None', assembleWith: 'None' },
      record('$[0]'),
      'transform.splitType',
      `must be "Line" for text/csv ${WITH}, is "None"`,
    ],
    [
      { ...DOCUMENT, splitType: 'RecordIO' },
      record('$.y'),
      'transform.splitType',
      `must be "Line" or "None" for application/json ${WITH}, is "RecordIO"`,
    ],
    [
      { ...CSV, assembleWith: 'None' },
      record('$[0]'),
      'transform.assembleWith',
      `must be the same as transform.splitType "Line" ${WITH}, is "None"`,
    ],
    [
      { ...CSV, inputFilter: 'x' },
      null,
      'transform.inputFilter',
      'must start with $, which stands for the record, is "x"',
    ],
    [CSV, record('x'), 'labels.truth.path', 'must start with $, which stands for the record, is "x"'],
    [CSV, record('$'), 'labels.truth.path', 'must lead to one value, as $.label or $[0], is "$"'],
    [CSV, record('$[0,1]'), 'labels.truth.path', /^must lead to one value/],
    [
      CSV,
      record('$.y'),
      'labels.truth.path',
      /^must be the place of a cell for transform.contentType "text\/csv"/,
    ],
    [CSV, record('$[0][1]'), 'labels.truth.path', /^must be the place of a cell/],
    [
      JSON_LINES,
      record('$.SageMakerOutput'),
      'labels.truth.path',
      /^must lead to a field of the record itself/,
    ],
    [
      JSON_LINES,
      record('$.SageMakerInput.y'),
      'labels.truth.path',
      /^must lead to a field of the record itself/,
    ],
  ])('%j and the labels %j are refused: %s', (transform, truth, field, message) => {
    expect(resolve(transform, truth)).toEqual({
      asked: undefined,
      problems: [
        {
          ...{ file: field.startsWith('labels') ? 'job.json' : 'pipeline.json', field },
          ...{ value: expect.any(String), message: said(message) },
        },
      ],
    });
  });

  test.each(['$.MySageMakerOutput', '$.SageMakerOutputs'])('%s is a field of the record', (text) => {
    expect(resolve(JSON_LINES, record(text)).problems).toEqual([]);
  });
});

describe('the first records', () => {
  const config = { contentType: 'text/csv', classes: ['cat', 'dog'], labelsFile: 'job.json' };
  const inputs = (...texts: string[]): SampledInput[] =>
    texts.map((text, at) => ({ key: `${at}.csv`, records: [text] }));
  const judge = (filter: string, truth: string | undefined, sampled: readonly SampledInput[], change = {}) =>
    judgeProcessing({ filter: path(filter), truth: truth === undefined ? undefined : path(truth) }, sampled, {
      ...config,
      ...change,
    });
  const JSON_TYPE = { contentType: 'application/jsonlines' };

  test.each([
    ['$', '$[0]', 'cat,1,2', {}, { joinSource: 'Input', inputColumns: 3 }, true],
    ['$[1:]', '$[0]', 'cat,1,2', {}, { joinSource: 'Input', inputColumns: 3 }, false],
    ['$[0]', '$[-3]', 'cat,1,2', {}, { joinSource: 'Input', inputColumns: 3 }, true],
    ['$[1]', '$[0]', 'cat,1,2', {}, { joinSource: 'Input', inputColumns: 3 }, false],
    ['$[1:]', undefined, 'cat,1,2', {}, { joinSource: 'None', inputColumns: 3 }, false],
    ['$', '$.y', '{"y":"cat"}', JSON_TYPE, { joinSource: 'Input', inputColumns: 0 }, true],
    ['$.x', '$.y', '{"y":"cat","x":1}', JSON_TYPE, { joinSource: 'Input', inputColumns: 0 }, false],
    ['$', '$[0]', '["cat",1]', JSON_TYPE, { joinSource: 'Input', inputColumns: 0 }, true],
  ])(
    'for %s and %s, the record %s is right; the model gets the label: %j',
    (filter, truth, text, type, asked, isSent) => {
      const judged = judge(filter, truth, inputs(text), type);
      expect(judged.problems).toEqual([]);
      expect(judged.processing).toEqual({ inputFilter: filter, ...asked });
      expect(judged.notes).toEqual(
        isSent ? [expect.stringMatching(/^the model gets the label that labels.truth finds/)] : [],
      );
    },
  );

  test.each([
    ['$', '$[0]', [], {}, 'drop', '', /^has no input whose first row could be read/],
    [
      '$',
      '$.y',
      ['broken'],
      JSON_TYPE,
      '0.csv',
      '',
      'does not begin with a record of application/jsonlines: "broken"',
    ],
    ['$', '$.y', [`x${'y'.repeat(99)}`], JSON_TYPE, '0.csv', '', /: "xy{79}"$/],
    [
      '$[9]',
      undefined,
      ['cat,1'],
      {},
      'pipeline.json',
      'transform.inputFilter',
      /^leads nowhere in the 1 records looked at, at the beginning of 0.csv$/,
    ],
    [
      '$',
      '$[9]',
      ['cat,1', 'dog,2'],
      {},
      'job.json',
      'labels.truth.path',
      'leads to no class name or index in the 2 records looked at, at the beginning of 0.csv and others',
    ],
    [
      '$',
      '$[0]',
      ['cat,1', 'dog,2,3'],
      {},
      '1.csv',
      '',
      /^begins with a row of 3 cells, 0.csv with one of 2: /,
    ],
    ['$', '$[0]', ['Label,1'], {}, '0.csv', '', /^begins with a header \("Label" where the label belongs\)/],
    [
      '$',
      '$.y',
      ['{"y":1,"SageMakerOutput":2}'],
      JSON_TYPE,
      '0.csv',
      '',
      /^has records with a field SageMakerOutput/,
    ],
  ])('%s and %s are refused for %j', (filter, truth, texts, type, file, field, message) => {
    expect(judge(filter, truth, inputs(...texts), type).problems).toEqual([
      { file, field, value: expect.any(String), message: said(message) },
    ]);
  });

  test.each([
    ['$', '$[0]', ['Label,1'], { classes: ['Label'] }],
    ['$', '$.y', [], JSON_TYPE],
    ['$[1:]', undefined, [], {}],
    ['$', '$.y', ['{"y":"label"}'], JSON_TYPE],
    ['$', '$.y', ['{}', '{"y":"cat"}', 'broken', 'null'], JSON_TYPE],
    ['$.x', '$.y', ['{"y":"cat"}', '{"x":1}'], JSON_TYPE],
  ])('%s and %s are not refused for %j, %j', (filter, truth, texts, change) => {
    expect(judge(filter, truth, inputs(...texts), change).problems).toEqual([]);
  });
});
