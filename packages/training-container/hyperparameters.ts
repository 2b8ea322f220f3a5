import { parsePythonJson, type PythonValue } from './python-value.ts';

/** Hyperparameters of SageMaker itself: scripts are given none of them. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'sagemaker_program sagemaker_submit_directory sagemaker_enable_cloudwatch_metrics sagemaker_region ' +
    'sagemaker_container_log_level sagemaker_job_name default_user_module_name _tuning_objective_metric sagemaker_s3_output'
  ).split(' '),
);

/** Hyperparameters by name, with their texts decoded: see {@link splitHyperparameters}. */
export type Hyperparameters = ReadonlyMap<string, PythonValue>;

/** The hyperparameters of a job, split as AWS's training toolkit does. */
export interface SplitHyperparameters {
  readonly reserved: Hyperparameters;
  /** Other names that begin with `sagemaker_`: what the SDK says about the distribution. */
  readonly framework: Hyperparameters;
  /** Hyperparameters that the script is given as arguments. */
  readonly user: Hyperparameters;
}

/** Each value is what its text means as JSON, or else the text itself: the SDK encodes values, boto3's users may not. */
export function splitHyperparameters(texts: Readonly<Record<string, string>>): SplitHyperparameters {
  const reserved = new Map<string, PythonValue>();
  const framework = new Map<string, PythonValue>();
  const user = new Map<string, PythonValue>();
  for (const [name, text] of Object.entries(texts)) {
    const kind = RESERVED.has(name) ? reserved : name.startsWith('sagemaker_') ? framework : user;
    kind.set(name, parsed(text));
  }
  return { reserved, framework, user };
}

function parsed(text: string): PythonValue {
  try {
    return parsePythonJson(text);
  } catch {
    return text;
  }
}

/** Names and values that cannot become an argument or a variable of a process: Python refuses them as well. */
export function hyperparameterProblems(texts: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    if (name.includes('=') || name.includes('\0'))
      return [
        `HyperParameters: the name ${JSON.stringify(name)} must have no "=" and no NUL, because it becomes the variable SM_HP_…: rename it`,
      ];
    if (text.includes('\0') || JSON.stringify(parsed(text), replaceNothing).includes('\\u0000'))
      return [
        `HyperParameters.${name} must have no NUL, because it becomes an argument of the script: remove it`,
      ];
    return [];
  });
}

/** bigint and Map are no JSON of JavaScript; only texts matter here. */
function replaceNothing(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return 0;
  return value instanceof Map ? [...value] : value;
}
