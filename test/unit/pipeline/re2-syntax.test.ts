import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { countRe2Groups } from '../../../src/pipeline/re2-syntax.ts';

/** Groups as the engine counts them, or undefined where it refuses the pattern. */
function byEngine(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).groupCount();
  } catch {
    return undefined;
  }
}

function bySyntax(pattern: string): number | undefined {
  try {
    return countRe2Groups(pattern);
  } catch {
    return undefined;
  }
}

const PIECES = [
  ...'ab0()|^$.[]*+?{}\\-,:<>=!PQExpdDsSwWAzbBC1789éi \u{1F600}',
  ...[
    '(?:',
    '(?i)',
    '(?i:',
    '(?-s:',
    '(?P<a>',
    '(?<b>',
    '(?=',
    '(?<=',
    '{2}',
    '{0}',
    '{0,}',
    '{2,3}',
    '{3,2}',
    '{40}',
    '{1001}',
    '{,3}',
    '{02}',
  ],
  ...[
    '[a-z]',
    '[^a]',
    '[z-a]',
    '[[:alpha:]]',
    '[[:^digit:]]',
    '[[:nope:]]',
    '[]a]',
    '[a-\\d]',
    '[\\]]',
    '[\\p{Lu}]',
  ],
  ...[
    '\\d',
    '\\.',
    '\\Qa*\\E',
    '\\Q\\E',
    '\\x41',
    '\\x{1F600}',
    '\\x{110000}',
    '\\0',
    '\\12',
    '\\pL',
    '\\p{Greek}',
    '\\p{^Lu}',
    '\\PN',
    '\\p{Nope}',
    '*?',
    '+?',
    '??',
  ],
];

test('syntax and engine agree on every pattern made of the pieces of patterns', () => {
  const pattern = fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(pattern, (text) => {
      expect(bySyntax(text)).toBe(byEngine(text));
    }),
    { numRuns: 4_000 },
  );
});

test('and on any text at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 12 }), (text) => {
      expect(bySyntax(text)).toBe(byEngine(text));
    }),
    { numRuns: 4_000 },
  );
});

test.each([
  'Greek',
  'Grek',
  'Han',
  'Hani',
  'Thai',
  'Cham',
  'Yi',
  'Nko',
  'Any',
  'L',
  'Lu',
  'LC',
  'Letter',
  'Zyyy',
  'Common',
  'greek',
  'Cyrillic',
  'L&',
])('\\p{%s} is known to both or to none', (name) => {
  expect(bySyntax(`\\p{${name}}`)).toBe(byEngine(`\\p{${name}}`));
});

test.each([
  ['(?<=a)b', 'look-around'],
  ['(a)\\1', 'back-references'],
  ['(a', 'a ( without its )'],
  ['[a', 'a [ without its ]'],
  ['a**', 'repetition of a repetition'],
  ['*', 'nothing to repeat'],
  ['a\\', 'a \\ at its end'],
])('%s is refused for its %s', (pattern, reason) => {
  expect(() => countRe2Groups(pattern)).toThrow(reason);
});
