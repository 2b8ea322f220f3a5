import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { expressionCompiler } from '../../states/expression/compile.ts';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeAll(async () => {
  stack = await localStates({
    chance: { random: () => 0.25, uuid: () => '00000000-0000-4000-8000-000000000000' },
  });
});
afterAll(() => stack.close());

let count = 0;
async function valueOf(source: string, input: unknown = {}): Promise<unknown> {
  const machine = await stack.machine(
    `e${++count}`,
    jsonata({ A: { Type: 'Succeed', Output: `{% ${source} %}` } }),
  );
  const { output, error, cause } = await stack.describe(await stack.start(machine, input, `n${count}`));
  return output === undefined ? `${error}: ${cause}` : JSON.parse(output);
}

test.each([
  ['$partition([1,2,3,4,5], 2)', [[1, 2], [3, 4], [5]]],
  ['$range(0, 10, 5)', [0, 5, 10]],
  ['$range(3, 1, -1)', [3, 2, 1]],
  ["$hash('abc', 'SHA-256')", 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ["$hash('abc', 'MD5')", '900150983cd24fb0d6963f7d28e17f72'],
  ['$uuid()', '00000000-0000-4000-8000-000000000000'],
  ['$random()', 0.25],
  ['$random(7) = $random(7)', true],
  ['$random(7) = $random(8)', false],
  [`$parse('{"a":[1]}')`, { a: [1] }],
  ['$now()', '2026-01-01T00:00:00.000Z'],
  ["$now('[Y0001]')", '2026'],
  ['$millis()', 1767225600000],
  ['$states.context.Execution.StartTime', '2026-01-01T00:00:00.000Z'],
  ['$states.context.StateMachine.Name', expect.stringMatching(/^e\d+$/)],
  ['$states.context.State.Name', 'A'],
  ['null', null],
  ['[]', []],
])('%s', async (source, expected) => {
  expect(await valueOf(source)).toEqual(expected);
});

test.each([
  ["$eval('1')", /\$eval is not supported by Step Functions/],
  ["$hash('a', 'CRC32')", /algorithm must be one of MD5, SHA-1/],
  ['$range(1, 2000, 1)', /at most 1000 numbers/],
  ['$partition([1], 0)', /size must be a positive integer/],
  ["$parse('{')", /JSON/],
  ['1/0', /D1001|Infinity/],
  ['$states.input.none', /returned nothing/],
  ['($f := function($n){ 1 + $f($n) }; $f(1))', /D1011: Stack overflow/],
])('%s fails', async (source, expected) => {
  expect(await valueOf(source)).toMatch(expected);
});

test('an expression without end fails, and the stack goes on', async () => {
  const compile = expressionCompiler({
    clock: systemClock,
    chance: { random: () => 0.25, uuid: () => 'unused' },
    longestEvaluationMs: 20,
  });
  await expect(compile('($f := function($n){ $f($n) }; $f(1))')({})).rejects.toMatchObject({ code: 'D1012' });
  expect(await valueOf('1 + 1')).toBe(2);
});

test('a regular expression that backtracks without end fails, and the stack goes on', async () => {
  const compile = expressionCompiler({
    clock: systemClock,
    chance: { random: () => 0.25, uuid: () => 'unused' },
    longestEvaluationMs: 50,
  });
  const text = `${'a'.repeat(50)}b`;
  await expect(compile('$contains($text, /(a+)+$/)')({ text })).rejects.toThrow(
    'the regular expression (a+)+$ was stopped after 50 ms on a text of 51 characters',
  );
  expect(await valueOf('$contains($states.input, /(a+)b$/)', text)).toBe(true);
});

test("regular expressions are JavaScript's, as in Step Functions", async () => {
  const input = { text: 'One two  Three', many: 'ab,'.repeat(2500) };
  const text = '$states.input.text';
  const groups = [
    { match: 'One', index: 0, groups: ['O'] },
    { match: 'Three', index: 9, groups: ['T'] },
  ];
  expect(await valueOf(`$match(${text}, /([A-Z])[a-z]+/)`, input)).toEqual(groups);
  expect(await valueOf(`$match(${text}, /([A-Z])[a-z]+/, 1)`, input)).toEqual(groups[0]);
  expect(await valueOf(`$split(${text}, /\\s+/)`, input)).toEqual(['One', 'two', 'Three']);
  expect(await valueOf(`$replace(${text}, /(?<=t)w(?=o)|(e)\\1/i, '<$0>')`, input)).toBe(
    'One t<w>o  Thr<ee>',
  );
  expect(await valueOf(`$count($split($states.input.many, /,/))`, input)).toBe(2501);
  expect(await valueOf(`$match(${text}, /x*/)`, input)).toMatch(/D1004/);
  expect(await valueOf(`($f := /t/; $f(${text}, 4).start)`, input)).toBe(4);
  expect(await valueOf(`$contains(${text}, /four/)`, input)).toBe(false);
});

test('a string that is no expression stays as it is', async () => {
  const { output } = await stack.run(jsonata({ A: { Type: 'Succeed', Output: ['x {% 1 %}', '%}'] } }));
  expect(JSON.parse(output)).toEqual(['x {% 1 %}', '%}']);
});

test('what JSONata hides in its arrays does not travel', async () => {
  const states = {
    A: { Type: 'Pass', Output: { list: '{% $states.input.items.n %}' }, Next: 'B' },
    B: { Type: 'Succeed', Output: '{% $append($states.input.list, [[9]]) %}' },
  };
  const { output } = await stack.run(jsonata(states), { items: [{ n: 1 }, { n: 2 }] });
  expect(JSON.parse(output)).toEqual([1, 2, [9]]);
});
