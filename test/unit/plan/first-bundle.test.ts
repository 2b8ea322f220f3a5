import { expect, test } from 'vitest';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { type BundleFact, bundleWay, toBundling } from '../../../src/plan/engine/first-bundle.ts';
import { DAY_MS } from '../../../src/text/milliseconds.ts';
import { NOW, PIPELINE, RUN } from '../../support/drop-fixture.ts';

const PLACE = { archive: 'a', way: 'w' };
const ARCHIVE = { sha256: 'a', files: ['code/inference.py'], scripts: new Map([['code/inference.py', '']]) };
const fact = (refused: string | null, days = 0): BundleFact => {
  const at = new Date(NOW.getTime() - days * DAY_MS).toISOString();
  return { schema: 1, refused, run: RUN, at };
};

test.each<[string, BundleFact | undefined, unknown]>([
  ['nobody knows', undefined, 'unknown'],
  ['it answered', fact(null), 'yes'],
  ['it answered long ago', fact(null, 400), 'yes'],
  [
    'it did not',
    fact('415: no such type', 30),
    { why: `the archive doesn't answer bundles, as ${RUN} found (415: no such type)` },
  ],
  ['it did not more than a month ago', fact('415', 31), 'unknown'],
])('what is known of an archive if %s', (_what, known, answers) => {
  expect(toBundling(ARCHIVE, 'w', { fact: known, again: null }, NOW)).toEqual({
    ...PLACE,
    again: null,
    answers,
  });
});

test("a run's own first bundle counts more than what another run has left", () => {
  const again = { attempt: 2, why: 'the model answered 500' };
  expect(toBundling(ARCHIVE, 'w', { fact: fact(null), again }, NOW)).toMatchObject({
    answers: { why: 'the first bundle has no usable answer (the model answered 500)' },
  });
});

test('an archive whose script cannot be wrapped is sent no bundle', () => {
  const unread = { ...ARCHIVE, scripts: new Map<string, string>() };
  expect(toBundling(unread, 'w', { fact: fact(null), again: null }, NOW)).toMatchObject({
    answers: { why: expect.stringContaining('code/inference.py is too long to be read') },
  });
});

test('what is known holds for one way of asking', () => {
  const way = (
    { model = {}, transform = {} }: { model?: object; transform?: object } = {},
    form: 'tar' | 'records' = 'tar',
    imageUri = 'image:1',
  ) => {
    const pipeline = { ...PIPELINE, model: { ...PIPELINE.model, ...model }, transform };
    return bundleWay({ form, imageUri, config: PipelineConfig.parse(pipeline) });
  };
  const environments = [
    { B: '1', A: '2' },
    { A: '2', B: '1' },
  ].map((environment) => way({ model: { environment } }));
  expect(environments[0]).toBe(environments[1]);
  const ways = [
    way(),
    way({}, 'records'),
    way({}, 'tar', 'image:2'),
    way({ transform: { contentType: 'image/png' } }),
    way({ transform: { accept: 'text/csv' } }),
    way({ model: { framework: 'pytorch', frameworkVersion: '2.6.0' } }),
    ...environments,
  ];
  expect(new Set(ways).size).toBe(ways.length - 1);
  // Hardware and concurrency decide nothing.
  expect(way({ transform: { instanceTypes: ['ml.m5.large'], instanceCount: 2 } })).toBe(way());
});
