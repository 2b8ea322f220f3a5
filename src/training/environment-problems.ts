import { toShownValue } from '../pipeline/shown-value.ts';
import type { Problem } from '../problem/problem.ts';

/** CreateTrainingJob's bounds. */
const MAX_VARIABLES = 100;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,511}$/;

/**
 * Variables that SageMaker, the training toolkit or the container's credentials set, by the developer guide and
 * sagemaker-training 5.1.4.
 */
const RESERVED =
  /^(?:SM_|SAGEMAKER_|AWS_CONTAINER_|(?:TRAINING_JOB_(?:NAME|ARN)|AWS_(?:REGION|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)|TF_CONFIG|MASTER_(?:ADDR|PORT))$)/;

/** Problems of `training.environment`. */
export function environmentProblems(environment: Readonly<Record<string, string>>): Problem[] {
  const about = { file: 'pipeline.json', field: 'training.environment' };
  const names = Object.keys(environment);
  const problems = Object.entries(environment).flatMap(([name, value]) => {
    const message = nameProblem(name);
    return message === undefined
      ? []
      : [{ ...about, field: `${about.field}.${name}`, value: toShownValue(value), message }];
  });
  if (names.length <= MAX_VARIABLES) return problems;
  const message = `must have at most ${MAX_VARIABLES} variables, which is what SageMaker takes, has ${names.length}`;
  return [...problems, { ...about, value: '', message }];
}

function nameProblem(name: string): string | undefined {
  if (RESERVED.test(name))
    return 'is a name that SageMaker and its training toolkit set: rename the variable';
  if (NAME.test(name)) return undefined;
  return 'must have a name of letters, digits and _ that does not begin with a digit: rename the variable';
}
