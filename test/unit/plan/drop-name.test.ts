import { expect, it } from 'vitest';
import { dropNameProblems } from '../../../src/plan/judge/judge-configuration.ts';

it.each(['a\nb', 'a\rb', 'a\u0085', '\u2028', 'x\u2029y', '.', '..'])('refuses the drop %j', (drop) => {
  expect(dropNameProblems(drop)).toMatchObject([
    { file: 'drop', message: expect.stringContaining(`is ${JSON.stringify(drop)}`) },
  ]);
});

it.each(['monday', '...', '.a', 'a b', 'ä\u{1F600}', 'tab\there'])('takes the drop %j', (drop) => {
  expect(dropNameProblems(drop)).toEqual([]);
});
