import { expect, test } from 'vitest';
import { openedPipelines, requireOpened } from '../../../src/api/opened-pipelines.ts';
import { tokenOf } from '../../support/token-of.ts';

type Claims = Parameters<typeof tokenOf>[0];
const opened = (claims: Claims, claim = 'pipelines') =>
  ['cats', 'dogs', 'cat', '', '*'].filter(openedPipelines(tokenOf(claims), claim));

test.each<[string, string | string[], string[]]>([
  ['a name', 'cats', ['cats']],
  ['names with spaces', 'cats dogs', ['cats', 'dogs']],
  ['names with commas', 'cats,dogs', ['cats', 'dogs']],
  ['names with commas and spaces', 'cats, dogs', ['cats', 'dogs']],
  ['a list', ['cats', 'dogs'], ['cats', 'dogs']],
  ['a list of one', ['cats'], ['cats']],
  ['a list of a name with spaces', ['cats dogs'], []],
  ['a list of a name with a comma', ['cats,dogs'], []],
  ['a text like a list', '[cats dogs]', []],
  ['names of others', 'cats2 dog', []],
])('a claim with %s opens these pipelines alone', (_, text, expected) => {
  expect(opened({ pipelines: text }).filter((name) => name !== '')).toEqual(expected);
});

test('* opens all, alone and in a list', () => {
  expect([opened({ pipelines: '*' }), opened({ pipelines: ['cats', '*'] })]).toEqual(
    Array(2).fill(['cats', 'dogs', 'cat', '', '*']),
  );
});

test('a token without the claim opens none, also where every object has a property of that name', () => {
  for (const pipelines of [
    opened({}),
    opened({ other: 'cats' }),
    opened({}, 'constructor'),
    // A token that API Gateway has not verified, and a request without one.
    ['cats', 'dogs'].filter(
      openedPipelines({ ...tokenOf({ pipelines: 'cats' }), requestContext: { authorizer: {} } }, 'pipelines'),
    ),
    ['cats', 'dogs'].filter(openedPipelines({ ...tokenOf({ pipelines: 'cats' }), headers: {} }, 'pipelines')),
  ])
    expect(pipelines.filter((name) => name !== '')).toEqual([]);
});

test('without the name of a claim every caller may use all', () => {
  expect(opened({}, '')).toEqual(['cats', 'dogs', 'cat', '', '*']);
});

test('a pipeline that is not opened is refused with the claim that would open it', () => {
  const request = tokenOf({ pipelines: 'cats' }) as unknown as Parameters<typeof requireOpened>[0];
  expect(() => requireOpened(request, 'pipelines', 'cats')).not.toThrow();
  expect(() => requireOpened(request, 'pipelines', 'dogs')).toThrow(
    expect.objectContaining({
      kind: 'pipeline-not-opened',
      message: 'the claim pipelines of the token does not name dogs: ask the issuer of your tokens to add it',
    }),
  );
});
