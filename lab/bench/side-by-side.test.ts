import { expect, test } from 'vitest';
import { requireSameScores, type Side, sideBySide } from './side-by-side.ts';

const onLinux = process.platform === 'linux';
/** A side that prints this, and writes that as its answers. */
const saying = (
  name: string,
  printed: (inputs: number) => object,
  answers: (inputs: number) => unknown = () => [],
): Side => ({
  name,
  command: (inputs, file = '/dev/null') => [
    process.execPath,
    '-e',
    `require('node:fs').writeFileSync('${file}', ${JSON.stringify(JSON.stringify(answers(inputs)))}); console.log('a ` +
      `line of the log'); console.log(${JSON.stringify(JSON.stringify(printed(inputs)))});`,
  ],
});
const honest = saying('honest', (answers) => ({ answers, correct: 1 }));
const work = { small: 1, large: 2, rounds: 1 };

test.runIf(onLinux)('sides that have counted the same get a figure', async () => {
  const costs = await sideBySide({ ...work, sides: [honest, { ...honest, name: 'other' }] });
  expect([...costs.keys()]).toEqual(['honest', 'other']);
});

test.runIf(onLinux).for([
  [
    'a missing answer',
    saying('liar', (inputs) => ({ answers: inputs - 1, correct: 1 })),
    'liar has answered 0 of 1 inputs',
  ],
  [
    'other figures',
    saying('liar', (answers) => ({ answers, correct: 2 })),
    'liar says {"answers":1,"correct":2}, and honest',
  ],
] as const)('%s gives no figure', async ([, liar, message]) => {
  await expect(sideBySide({ ...work, sides: [honest, liar] })).rejects.toThrow(message);
});

test.runIf(onLinux)('another answer gives no figure', async () => {
  const scored = (name: string, scores: readonly number[]): Side =>
    saying(
      name,
      (answers) => ({ answers }),
      (inputs) => Array.from({ length: inputs }, () => scores),
    );
  const sides = [scored('ours', [0.9, 0.1]), scored('liar', [0.1, 0.9])];
  await expect(sideBySide({ ...work, sides, tolerance: 1e-4 })).rejects.toThrow(
    'liar answers input 0 otherwise than ours',
  );
});

test('scores may differ in their last digits, and two that are as good as equal in their order', () => {
  const same = (found: number[], expected: number[]) => () =>
    requireSameScores('a', [found], 'b', [expected], 1e-4);
  expect(same([0.500_001, 0.499_999], [0.499_999, 0.500_001])).not.toThrow();
  expect(same([0.6, 0.4], [0.599, 0.401])).toThrow('differ by');
  expect(same([0.6], [0.6, 0.4])).toThrow('otherwise');
  expect(same([0.6, NaN], [0.6, 0.4])).toThrow('otherwise');
});
