import { expect, it } from 'vitest';
import type { Problem } from '../../../src/problem/problem.ts';
import { unlessOn } from '../../../src/problem/unless-on.ts';

const about = (field: string): Problem => ({
  file: 'pipeline.json',
  field,
  value: '',
  message: 'must be right',
});
const found = [about('transform.instanceCount')];

it.each<[string, string, readonly Problem[]]>([
  ['the field itself', 'labels.classes', []],
  ['what it lies in', 'labels', []],
  ['a part of it', 'labels.classes.3', []],
  ['another field that it depends on', 'model', []],
  ['a field whose name only begins like it', 'labels.classesFile', found],
  ['a field whose name is the beginning of its name', 'labels.class', found],
  ['a field that it does not depend on', 'report', found],
])('a problem is not reported where %s is wrong, and is otherwise', (_what, wrong, reported) => {
  expect(unlessOn(['labels.classes', 'model'], [about('gate'), about(wrong)], found)).toEqual(reported);
});

it('a problem is reported where nothing else is wrong', () => {
  expect(unlessOn(['labels.classes'], [], found)).toEqual(found);
});
