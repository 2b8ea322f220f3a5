import { expect, it } from 'vitest';
import { problemLine } from '../../../src/problem/problem.ts';

it('a problem stands in one line: file, field if there is one, and what is wrong', () => {
  const message = 'must be 0..1, is 9';
  expect(problemLine({ file: 'pipeline.json', field: 'gate.minAccuracy', message })).toBe(
    'pipeline.json: gate.minAccuracy must be 0..1, is 9',
  );
  expect(problemLine({ file: 'model.tar.gz', field: '', message: 'is cut' })).toBe('model.tar.gz is cut');
});
