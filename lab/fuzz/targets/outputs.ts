import { parseJsonPath } from '../../../src/prediction/json-path.ts';
import { readOutput } from '../../../src/prediction/read-output.ts';
import { mutateBytes, mutateJson } from '../mutate.ts';
import { type FuzzTarget, refusedByName } from '../target.ts';

const ROWS = [
  { predictions: [[0.1, 0.7, 0.2]] },
  { predictions: [{ probabilities: [0.1, 0.7, 0.2], classes: 'cat' }] },
  { outputs: { scores: [[0.1, 0.7, 0.2]], classes: [1] } },
  [
    [0.1, 0.7, 0.2],
    [1, 0, 0],
  ],
  [{ label: 'cat', score: 0.9 }],
].map((value) => JSON.stringify(value));
const TEXTS = [
  '0.1,0.7,0.2\n1,0,0\n',
  '1\n2\n0\n',
  '{"predictions": [[NaN, Infinity, -Infinity]]}',
  '"cat"\n"dog"\n',
  '0.73',
];
const WORDS = [
  'NaN',
  'Infinity',
  '-',
  '1e999',
  '0.',
  '.',
  'e',
  ',',
  '[',
  ']',
  '{',
  '}',
  '"',
  '\\',
  '\n',
  '\r',
  '\0',
  '['.repeat(60_000),
  '1'.repeat(80_000),
  '0.1,'.repeat(20_000),
];

/** Outputs of models, as folding reads them. */
export function open(): FuzzTarget<Buffer> {
  return {
    name: 'outputs',
    seeds: [...ROWS, ...TEXTS].map((text) => Buffer.from(text)),
    mutate(seed, chance) {
      if (chance.happens(0.3)) {
        const text = seed.toString();
        if (/^[[{]/.test(text) && !text.includes('NaN') && !text.endsWith('\n'))
          return Buffer.from(JSON.stringify(mutateJson(JSON.parse(text), chance)));
      }
      return mutateBytes(seed, chance, WORDS);
    },
    async judge(bytes) {
      for (const single of ['class', 'score', 'either'] as const)
        for (const oneRecord of [true, false]) {
          const wrong = await refusedByName(['OutputError', 'ClassCountMismatch'], () => {
            for (const { scores = [], label } of readOutput(bytes, { scoreCount: 3, oneRecord, single }))
              if (scores.length === 0 && label === undefined) return;
          });
          if (wrong !== undefined) return wrong;
        }
      const path = parseJsonPath(bytes.toString().slice(0, 1_000));
      return 'reason' in path && path.reason === '' ? 'a path was refused without a reason' : undefined;
    },
  };
}
