import { expect, test } from 'vitest';
import { heavier, importsOf, readAllowance, roomOf, ROOT, Weighed } from '../../scripts/weigh.ts';

test('no handler reaches more, and no room has more lines, than weight.json allows', () => {
  const { weights } = new Weighed(ROOT);
  expect(
    [...heavier(weights, readAllowance()).values()],
    'npm run weigh names the imports that carry it',
  ).toEqual([]);
});

test('a further file, a further line, and a new handler or room are heavier; less is not', () => {
  const allowed = {
    handlers: { 'functions/a.ts': { files: 2, lines: 10 } },
    rooms: { src: { files: 1, lines: 5 } },
  };
  const names = (files: number, lines: number, room = 'src') => [
    ...heavier(
      { handlers: { 'functions/a.ts': { files, lines } }, rooms: { [room]: { files: 1, lines: 4 } } },
      allowed,
    ).keys(),
  ];
  expect(names(2, 10)).toEqual([]);
  expect(names(1, 9)).toEqual([]);
  expect(names(3, 9)).toEqual(['functions/a.ts']);
  expect(names(2, 11)).toEqual(['functions/a.ts']);
  expect(names(2, 10, 'web')).toEqual(['web']);
});

test('a module loads what it imports as values', () => {
  const text = [
    "import type { A } from './a.ts';",
    "import { type B, type C } from './b.ts';",
    "import {\n  type D,\n  e,\n} from '../d.ts';",
    "import * as f from './f.ts';",
    "import './g.ts';",
    "export { h } from './h.ts';",
    "export type { I } from './i.ts';",
    "import z from 'zod';",
  ].join('\n');
  expect(importsOf('src/x/y.ts', text)).toEqual(['src/d.ts', 'src/x/f.ts', 'src/x/g.ts', 'src/x/h.ts']);
});

test.each([
  ['src/plan/judge/judge.ts', 'src/plan'],
  ['src/app/plan/plan-run.ts', 'src/app'],
  ['packages/laptop/s3/store.ts', 'packages/laptop'],
  ['packages/laptop/test/s3/store.test.ts', undefined],
  ['web/console/main.ts', 'web'],
  ['functions/plan-run.ts', 'functions'],
  ['scripts/lint-asl/rules.ts', 'scripts'],
  ['packages/savedmodel/lab/x.ts', undefined],
  ['lab/start.mjs', undefined],
  ['README.md', undefined],
])('%s counts for %s', (file, room) => expect(roomOf(file)).toBe(room));
