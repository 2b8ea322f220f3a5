import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { splitHyperparameters } from '../hyperparameters.ts';
import { scriptArguments } from '../script-arguments.ts';
import { smEnvironment } from '../sm-environment.ts';
import { CASES, type ToolkitCase } from './toolkit/cases.ts';
import { toVariables } from './toolkit/to-variables.ts';

interface Answer {
  readonly case: ToolkitCase;
  readonly variables: Readonly<Record<string, string>>;
  readonly arguments: readonly string[];
}

const answers = JSON.parse(
  await readFile(new URL('./toolkit/environments.json', import.meta.url), 'utf8'),
) as readonly Answer[];

test('the committed answers of the toolkit are to the cases of today', () => {
  expect(answers.map((answer) => answer.case)).toEqual(JSON.parse(JSON.stringify(CASES)));
});

test.each(CASES.map((one, at) => [at, one] as const))(
  'variables and arguments of case %i are byte for byte the toolkit’s',
  (at, one) => {
    expect(toVariables(one)).toEqual(answers[at]?.variables);
    expect(scriptArguments(splitHyperparameters(one.hyperparameters).user)).toEqual(answers[at]?.arguments);
  },
);

test('a variable of the request’s own does not shadow another', () => {
  const [one] = CASES;
  if (one === undefined) throw new Error('there are cases');
  const variables = smEnvironment({
    optMl: '/elsewhere/algo-1/opt/ml',
    hyperparameters: splitHyperparameters(one.hyperparameters),
    resources: one.resourceconfig,
    inputs: one.inputdataconfig,
    jobName: one.jobName,
    frameworkModule: one.frameworkModule,
    cpus: 1,
    gpus: 1,
  });
  expect(variables['SM_CHANNEL_TRAINING']).toBe('/elsewhere/algo-1/opt/ml/input/data/training');
  expect(variables['SM_HP_BACKEND']).toBe('gloo');
});
