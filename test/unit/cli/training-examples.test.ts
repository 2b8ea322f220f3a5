import { expect, it } from 'vitest';
import { chooseTrainingExample } from '../../../src/cli/laptop/training-examples.ts';
import { Refusal } from '../../../src/cli/refusal.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';

it.each([
  ['what is installed', undefined, {}, ['pytorch'], 'pytorch'],
  ['TensorFlow before PyTorch', undefined, {}, ['pytorch', 'tensorflow'], 'tensorflow'],
  [
    'an interpreter that was named before what is installed',
    undefined,
    { pytorch: 'p' },
    ['pytorch', 'tensorflow'],
    'pytorch',
  ],
  ['an interpreter alone', undefined, { tensorflow: 'p' }, [], 'tensorflow'],
  ['what was asked for', 'pytorch', { tensorflow: 'p' }, ['pytorch'], 'pytorch'],
  ['Horovod where it was asked for', 'horovod', {}, ['tensorflow-horovod', 'tensorflow'], 'horovod'],
])('%s is chosen', (_, named, pythons, installed, chosen) => {
  expect(chooseTrainingExample(named, pythons, (engine) => new Set<string>(installed).has(engine))).toBe(
    chosen,
  );
});

it.each([
  ['jax', {}, ['pytorch'], /^--train takes tensorflow or pytorch or horovod, is jax$/],
  ['toString', {}, [], /^--train takes tensorflow/],
  [
    undefined,
    {},
    ['tensorflow-horovod'],
    /^--train needs a Python with TensorFlow or PyTorch: run "inferdrop containers install tensorflow"/,
  ],
  [
    'tensorflow',
    { pytorch: 'p' },
    ['pytorch'],
    /^--train tensorflow needs TensorFlow: .*--training-python tensorflow=PATH$/,
  ],
  ['horovod', {}, ['tensorflow'], /run "inferdrop containers install tensorflow-horovod" \(1\.4 GB/],
  // Its model is judged in the container, which an interpreter of the user's does not have.
  [
    'pytorch',
    { pytorch: 'p' },
    [],
    /^--train pytorch needs PyTorch and its inference container: run "inferdrop containers install pytorch" \([^)]*\)$/,
  ],
])(
  '%s with the interpreters %j and installed %j is refused with the remedy',
  (named, pythons, installed, message) => {
    const choose = () =>
      chooseTrainingExample(named, pythons, (engine) => new Set<string>(installed).has(engine));
    // A wrong word is a wrong command line; what is not installed is not.
    expect(choose).toThrow(message.source.includes('needs') || named === 'horovod' ? Refusal : UsageError);
    expect(choose).toThrow(message);
  },
);
