import { expect, test } from 'vitest';
import { definitionProblems, ownProblems } from '../../../scripts/lint-asl/definition-problems.ts';

const RETRY = { ErrorEquals: ['A'], JitterStrategy: 'FULL' };
const CATCH = { ErrorEquals: ['States.ALL'], Next: 'End' };

/** A machine with nothing wrong; `change` spoils its Task. */
function machine(change: object = {}, states: object = {}): object {
  return {
    QueryLanguage: 'JSONata',
    StartAt: 'Work',
    States: {
      Work: {
        Type: 'Task',
        Resource: 'arn:${Partition}:states:::lambda:invoke',
        Arguments: { FunctionName: '${Name}', Payload: '{% $states.input.items[0].($.a) %}' },
        TimeoutSeconds: 60,
        Retry: [RETRY],
        Catch: [CATCH],
        Assign: { kept: '{% $states.result.Payload ~> $sum %}' },
        Next: 'End',
        ...change,
      },
      End: { Type: 'Succeed' },
      ...states,
    },
  };
}

async function messages(definition: object | string): Promise<string[]> {
  const problems = await ownProblems(
    typeof definition === 'string' ? definition : JSON.stringify(definition),
  );
  return problems.map(({ state, message }) => (state === undefined ? message : `${state}: ${message}`));
}

test('a good machine has no problems', async () => {
  expect(await messages(machine())).toEqual([]);
});

test.each([
  [
    'States.ALL beside another name',
    { Catch: [{ ...CATCH, ErrorEquals: ['States.ALL', 'A'] }] },
    /States\.ALL must appear alone and at end of list at \/States\/Work\/Catch\[0\]\/ErrorEquals/,
  ],
  [
    'States.ALL before the last',
    { Catch: [CATCH, { ...CATCH, ErrorEquals: ['A'] }] },
    /States\.ALL must appear alone and at end of list/,
  ],
  [
    'a Resource that the laptop cannot run',
    { Resource: 'arn:aws:states:::states:startExecution.sync' },
    /does not emulate arn:aws:states:::states:startExecution\.sync in a Task/,
  ],
  ['an unassigned variable', { Arguments: { x: '{% $absent %}' } }, /no state assigns the variable \$absent/],
  [
    'JSONata that does not parse',
    { Arguments: { x: '{% $a + %}' } },
    /Unexpected end of expression in .* at \/States\/Work\/Arguments\/x/,
  ],
  ['a bare field name', { Arguments: { x: '{% items.a %}' } }, /the bare name 'items' refers to nothing/],
  ['$ at the top', { Arguments: { x: '{% $.a %}' } }, /\$ refers to nothing/],
  ['$$', { Arguments: { x: '{% $states.input.a[b = $$.c] %}' } }, /\$\$ refers to nothing/],
  ['$eval', { Arguments: { x: "{% $eval('1') %}" } }, /\$eval does not exist/],
  [
    'a result before there is one',
    { Arguments: { x: '{% $states.result.a %}' } },
    /\$states\.result has no value here/,
  ],
  [
    'an error output outside Catch',
    { Output: '{% $states.errorOutput.Error %}' },
    /has a value in Catch only/,
  ],
  ['an unknown member of $states', { Output: '{% $states.inputs.a %}' }, /\$states\.inputs does not exist/],
  [
    'half an expression',
    { Arguments: { x: 'total: {% $states.input.n %}' } },
    /Arguments\.x is taken literally/,
  ],
  ['a Task without TimeoutSeconds', { TimeoutSeconds: undefined }, /Work: a Task needs TimeoutSeconds/],
  [
    'a Retry without JitterStrategy',
    { Retry: [{ ErrorEquals: ['A'] }] },
    /Work: Retry\[0\] needs a JitterStrategy/,
  ],
  [
    'a field of JSONPath',
    { ResultPath: '$.x' },
    /Work: .*field 'ResultPath' is only supported for the 'JSONPath' QueryLanguage/,
  ],
  [
    'a target that does not exist',
    { Next: 'Nowhere' },
    /Missing 'Next' target: Nowhere at \/States\/Work\/Next/,
  ],
])('finds %s', async (_, change, expected) => {
  const found = await messages(machine(change));
  expect(found.filter((message) => expected.test(message))).not.toEqual([]);
});

test('finds a state that nothing leads to', async () => {
  expect(await messages(machine({}, { Lost: { Type: 'Succeed' } }))).toContain(
    'Lost: MISSING_TRANSITION_TARGET: State "Lost" is not reachable. at /States/Lost',
  );
});

test('finds a variable that has a value on some paths only', async () => {
  const found = await messages(machine({}, { End: { Type: 'Succeed', Output: '{% $kept %}' } }));
  expect(found).toEqual(['End: Output: the variable $kept has no value on some path to this state']);
});

test('$exists may ask for such a variable', async () => {
  expect(await messages(machine({}, { End: { Type: 'Succeed', Output: '{% $exists($kept) %}' } }))).toEqual(
    [],
  );
});

test('names that an expression gives itself are its own', async () => {
  const output = '{% ($n := 1; $map($states.input.xs, function($x, $i) { $x + $i + $n })) %}';
  expect(await messages(machine({}, { End: { Type: 'Succeed', Output: output } }))).toEqual([]);
});

test('children of a Distributed Map see no variables', async () => {
  const processor = { StartAt: 'In', States: { In: { Type: 'Pass', Output: '{% $kept %}', End: true } } };
  const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };
  const map = { Type: 'Map', ItemProcessor: { ...processor, ProcessorConfig }, End: true };
  expect(await messages(machine({ Catch: undefined }, { End: map }))).toEqual([
    'In: Output: no state assigns the variable $kept',
  ]);
});

test('says where JSON ends to be JSON', async () => {
  expect(await messages('{')).toEqual([expect.stringMatching(/^INVALID_JSON_DESCRIPTION: /)]);
});

test('asl-validator has its say', async () => {
  const good = await definitionProblems(JSON.stringify(machine()));
  expect(good).toEqual([]);
  const bad = await definitionProblems(JSON.stringify({ ...machine(), StartAt: 'Nowhere' }));
  expect(bad.some(({ message }) => message.startsWith('asl-validator: '))).toBe(true);
});
