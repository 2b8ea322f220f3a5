import { expect, test } from 'vitest';
import { openedPipelines, requireOpened } from '../../../src/api/opened-pipelines.ts';

const requestWith = (claims: Record<string, string> | undefined) =>
  ({ requestContext: claims === undefined ? {} : { authorizer: { jwt: { claims } } } }) as Parameters<
    typeof requireOpened
  >[0];
const opened = (claims: Record<string, string> | undefined, claim = 'pipelines') =>
  ['cats', 'dogs', 'cat', '', '*'].filter(openedPipelines(requestWith(claims), claim));

test.each<[string, string, string[]]>([
  ['a name', 'cats', ['cats']],
  ['names with spaces', 'cats dogs', ['cats', 'dogs']],
  ['names with commas', 'cats,dogs', ['cats', 'dogs']],
  ['names with commas and spaces', 'cats, dogs', ['cats', 'dogs']],
  ['a list, as API Gateway writes it', '[cats dogs]', ['cats', 'dogs']],
  ['a list of one', '[cats]', ['cats']],
  ['a list over several lines', '[cats\ndogs]', ['cats', 'dogs']],
  ['a list that is cut off', '[cats', []],
  ['a list within other text', 'x[cats] [dogs]x', []],
  ['a list behind other text', 'x [cats]', []],
  ['a list before other text', '[cats] x', []],
  ['names of others', 'cats2 dog', []],
])('a claim with %s opens these pipelines alone', (_, text, expected) => {
  expect(opened({ pipelines: text }).filter((name) => name !== '')).toEqual(expected);
});

test('* opens all, alone and in a list', () => {
  expect([opened({ pipelines: '*' }), opened({ pipelines: '[cats *]' })]).toEqual(
    Array(2).fill(['cats', 'dogs', 'cat', '', '*']),
  );
});

test('a token without the claim opens none, also where every object has a property of that name', () => {
  for (const pipelines of [
    opened({}),
    opened(undefined),
    opened({ other: 'cats' }),
    opened({}, 'constructor'),
    // Signed by AWS's signature, and of a token without claims.
    ['cats', 'dogs'].filter(openedPipelines({ requestContext: { authorizer: {} } }, 'pipelines')),
    ['cats', 'dogs'].filter(
      openedPipelines({ requestContext: { authorizer: { jwt: { claims: null } } } }, 'pipelines'),
    ),
  ])
    expect(pipelines.filter((name) => name !== '')).toEqual([]);
});

test('without the name of a claim every caller may use all', () => {
  expect(opened(undefined, '')).toEqual(['cats', 'dogs', 'cat', '', '*']);
});

test('a pipeline that is not opened is refused with the claim that would open it', () => {
  const request = requestWith({ pipelines: 'cats' });
  expect(() => requireOpened(request, 'pipelines', 'cats')).not.toThrow();
  expect(() => requireOpened(request, 'pipelines', 'dogs')).toThrow(
    expect.objectContaining({
      kind: 'pipeline-not-opened',
      message: 'the claim pipelines of the token does not name dogs: ask the issuer of your tokens to add it',
    }),
  );
});
