import { expect, test } from 'vitest';
import { requirePipeline } from '../../../src/cli/change-endpoint.ts';
import { requireKnownPipeline } from '../../../src/cli/known-pipeline.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

test.each<[string, readonly string[], RegExp | undefined]>([
  ['shapes', ['shapes'], undefined],
  [
    'shaeps',
    ['shapes', 'digits'],
    /^pipeline shaeps does not exist: did you mean shapes\? inferdrop pipeline put FOLDER --name shaeps/,
  ],
  [
    'clothes',
    ['shapes', 'digits'],
    /does not exist: the pipelines are digits, shapes\. inferdrop pipeline put/,
  ],
  ['clothes', [], /does not exist: there are no pipelines yet\. inferdrop pipeline put/],
])('%s beside the pipelines %j: %s', async (name, pipelines, message) => {
  const store = memoryObjectStore();
  for (const one of pipelines) store.put(`pipelines/${one}/pipeline.json`, '{}');
  const asked = requireKnownPipeline(store, name);
  await (message === undefined
    ? expect(asked).resolves.toBe(undefined)
    : expect(asked).rejects.toThrow(message));
});

test('a run in place of a pipeline is told how it is given', () => {
  expect(() => requirePipeline('shapes/mon day/000001')).toThrow(
    /: that is a run; give shapes, to endpoints deploy with --run 'shapes\/mon day\/000001'$/,
  );
});
