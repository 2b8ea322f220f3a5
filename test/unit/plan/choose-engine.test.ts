import { expect, test } from 'vitest';
import { LimitSettings } from '../../../src/pipeline/limit-settings.ts';
import { chooseEngine, type Offer } from '../../../src/plan/decide/decide.ts';

const LIMITS = LimitSettings.parse({ maxRuntimeMinutes: 10 });
const offer = (name: Offer['name'], usd: number | null, seconds: number, ...messages: string[]): Offer => ({
  name,
  usd,
  seconds,
  isMeasured: true,
  problems: messages.map((message) => ({ file: 'pipeline.json', field: 'model.image', value: '', message })),
});

test.each([
  ['the cheaper one of those that end in time', [0.5, 300], [0.1, 500], 'lambda', 'which is cheaper'],
  [
    'the one that ends in time, though it is dearer',
    [0.5, 300],
    [0.1, 700],
    'sagemaker',
    'the only one that finishes within limits.maxRuntimeMinutes 10',
  ],
  [
    'the faster one where none ends in time',
    [0.5, 900],
    [0.1, 700],
    'lambda',
    'which is faster: none finishes within limits.maxRuntimeMinutes 10',
  ],
  ['the one whose price is known', [null, 300], [9, 300], 'lambda', 'which is cheaper'],
] as const)('auto takes %s', (_what, instances, functions, name, why) => {
  const chosen = chooseEngine(
    [offer('sagemaker', instances[0], instances[1]), offer('lambda', functions[0], functions[1])],
    LIMITS,
  );
  expect(chosen.name).toBe(name);
  expect(chosen.note).toContain(`${name} is taken, ${why}`);
});

test('auto says both quotes', () => {
  const { note } = chooseEngine([offer('sagemaker', 0.02, 90), offer('lambda', 0.004, 12)], LIMITS);
  expect(note).toBe(
    'transform.engine is auto: sagemaker is quoted at $0.02 and 1 min 30 s, lambda is quoted at $0.0040 and 12 s; ' +
      'lambda is taken, which is cheaper',
  );
});

test('auto says which quote is of an assumed speed', () => {
  const { note } = chooseEngine(
    [{ ...offer('sagemaker', 0.02, 90), isMeasured: false }, offer('lambda', 0.004, 12)],
    LIMITS,
  );
  expect(note).toContain('; for sagemaker 0.1 s an input are assumed, which inferdrop probe measures');
});

test('auto takes the engine that can run the model, and says what the other cannot', () => {
  const { name, note } = chooseEngine(
    [offer('sagemaker', 0.5, 900), offer('lambda', 0.1, 10, 'must be null')],
    LIMITS,
  );
  expect(name).toBe('sagemaker');
  expect(note).toBe(
    'transform.engine is auto: sagemaker is taken, since lambda cannot run this: model.image must be null',
  );
});

test('a run that no engine can carry out is judged for sagemaker', () => {
  const { name } = chooseEngine([offer('sagemaker', 1, 1, 'a'), offer('lambda', 1, 1, 'b')], LIMITS);
  expect(name).toBe('sagemaker');
});
