import { expect, test } from 'vitest';
import { readTags, resolveTags, resourceTagProblems } from '../../../src/deployment/stack-tags.ts';

const resolve = (options: readonly string[], deployed: Record<string, string> = {}, text = '') =>
  resolveTags(readTags(options, '--tag').tags, new Map(Object.entries(deployed)), text);

test('a new stack gets the tags, and so does what its runs make', () => {
  expect(resolve(['CostCenter=42', 'Owner=vision team'])).toEqual({
    stackTags: new Map([
      ['CostCenter', '42'],
      ['Owner', 'vision team'],
    ]),
    resourceTags: 'CostCenter=42,Owner=vision team',
    changes: [
      { option: 'tag CostCenter', from: '', to: '42', effect: null },
      { option: 'tag Owner', from: '', to: 'vision team', effect: null },
    ],
    problems: [],
  });
});

test('a deployed stack keeps the tags that are not given, but for those of CloudFormation', () => {
  const deployed = { STAGE: 'prod', CostCenter: '42', 'aws:cloudformation:stack-id': 'x' };
  const stackTags = new Map([
    ['STAGE', 'prod'],
    ['CostCenter', '42'],
  ]);
  expect(resolve([], deployed, 'CostCenter=42')).toEqual({
    stackTags,
    resourceTags: undefined,
    changes: [],
    problems: [],
  });
  const changed = resolve(['CostCenter=43', 'url=a=b'], deployed, 'CostCenter=42,Team=x');
  expect(changed.stackTags).toEqual(new Map([...stackTags, ['CostCenter', '43'], ['url', 'a=b']]));
  expect(changed.resourceTags).toBe('CostCenter=43,Team=x,url=a=b');
});

test('an empty value removes a tag', () => {
  const { stackTags, resourceTags, changes } = resolve(
    ['CostCenter='],
    { CostCenter: '42' },
    'CostCenter=42',
  );
  expect(stackTags.size).toBe(0);
  expect(resourceTags).toBe('');
  expect(changes).toEqual([{ option: 'tag CostCenter', from: '42', to: '', effect: null }]);
  expect(resolve(['Other='], { CostCenter: '42' }, 'CostCenter=42').changes).toEqual([]);
});

test('keys that IAM takes for one are refused', () => {
  expect(resolve(['costcenter=1'], { CostCenter: '42' }).problems).toEqual([
    '--tag CostCenter and costcenter: IAM takes one of them, since it ignores case: remove one with --tag KEY=',
  ]);
});

test.each([
  ['inferdrop:run=x', '--tag inferdrop:run must not begin with aws: or inferdrop:'],
  ['INFERDROP:run=x', '--tag INFERDROP:run must not begin with aws: or inferdrop:'],
  ['AWS:x=y', '--tag AWS:x must not begin with aws:'],
  ['CostCenter', '--tag CostCenter needs a value: --tag CostCenter=VALUE'],
  ['=42', '--tag  must have a key of 1 to 128'],
  [`${'k'.repeat(129)}=1`, 'must have a key of 1 to 128'],
  ['a,b=1', '--tag a,b must have a key of 1 to 128 letters'],
  [`a=${'v'.repeat(257)}`, '--tag a must be at most 256 letters'],
  ['a=1,b=2', '--tag a must be at most 256 letters, digits, spaces and _ . : / = + - @: change the value'],
  ['a= 1', '--tag a must not begin or end with spaces'],
  [' a=1', 'must not begin or end with spaces'],
])('%j is refused', (option, words) => {
  expect(readTags([option], '--tag').problems).toEqual([expect.stringContaining(words)]);
});

test('the longest tag is taken, and a tag is given once', () => {
  expect(readTags([`${'k'.repeat(128)}=${'é'.repeat(256)}`, '-x=1'], '--tag').problems).toEqual([]);
  expect(readTags(['a=1', 'a=2'], '--tag').problems).toEqual(['--tag a is given twice: give it once']);
});

test('there are as many tags as an endpoint and the variables of a function have room for', () => {
  const many = (count: number, value: string) =>
    Array.from({ length: count }, (_, index) => `k${index}=${value}`).join(',');
  expect(resourceTagProblems('')).toEqual([]);
  expect(resourceTagProblems(many(43, 'x'))).toEqual([]);
  expect(resourceTagProblems(many(44, 'x'))).toEqual([
    "at most 43 tags, not 44: AWS takes 50, and an endpoint has 7 of the application's",
  ]);
  expect(resourceTagProblems(many(20, 'x'.repeat(200)))).toEqual([
    expect.stringMatching(/at most 3000 characters together, and have 40\d\d: shorten them/),
  ]);
  expect(resourceTagProblems('CostCenter')).toEqual([
    'resourceTags CostCenter needs a value: resourceTags CostCenter=VALUE',
  ]);
});
