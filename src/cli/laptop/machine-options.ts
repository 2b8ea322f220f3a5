import { defaulted, flag, oneOfWords, type OptionValues, STAGE } from '../define-command.ts';
import { UsageError } from '../usage-error.ts';
import type { Machine } from './laptop-stack.ts';
import { parseLimits } from './parse-limits.ts';
import { parseTrainingPythons } from './parse-training-pythons.ts';
import { DEFAULT_DATA_DIR } from './stack-credentials.ts';

/** Options of the commands that bring up a stack on this machine. */
export const MACHINE_OPTIONS = {
  port: defaulted('4820', 'N', 'port that it listens on'),
  data: defaulted(DEFAULT_DATA_DIR, 'DIR', 'folder of its files and its access key'),
  handlers: defaulted(
    'pyodide',
    'pyodide|python',
    "what runs a model's inference.py: python is an installed one, with its requirements.txt",
  ),
  engine: defaulted(
    'onnxruntime',
    'onnxruntime|python',
    'what runs models: python is TensorFlow, after "inferdrop containers install tensorflow"',
  ),
  'legacy-elastic-inference': flag('accept endpoints with an AcceleratorType, as AWS did until April 2024'),
  'training-hosts': defaulted(
    'portable',
    'portable|exact',
    'exact: on Linux hosts of trainings have a real /opt/ml, names, addresses and every port, and no network beyond this stack',
  ),
  'training-python': {
    type: 'string',
    multiple: true,
    value: 'FRAMEWORK=PYTHON',
    text: 'trainings of pytorch or tensorflow run in an interpreter of your own',
  },
  'any-framework-version': flag("such trainings also run if its major version isn't their image's"),
  limits: defaulted('{}', 'JSON', 'quotas of the account; packages/laptop/README.md lists them'),
  'exact-waits': flag(
    'an update of an endpoint keeps its old instances for all of endpoint.bakeSeconds, not for 10 seconds at most',
  ),
  'open-credentials': flag(
    'take the key "test" with the secret "test", for suites that know no other; any program on this machine can then use the stack',
  ),
  ...STAGE,
} as const;

/** @throws {UsageError} for a value that is not allowed */
export function toMachine(options: OptionValues<typeof MACHINE_OPTIONS>): Machine {
  return {
    stage: options.stage,
    port: toPort(options.port),
    dataDir: options.data,
    containers: {
      handlers: oneOfWords('handlers', options.handlers, ['pyodide', 'python']),
      engine: oneOfWords('engine', options.engine, ['onnxruntime', 'python']),
    },
    legacyElasticInference: options['legacy-elastic-inference'],
    trainingMode: oneOfWords('training-hosts', options['training-hosts'], ['portable', 'exact'] as const),
    trainingPythons: parseTrainingPythons(options['training-python'] ?? []),
    anyFrameworkVersion: options['any-framework-version'],
    exactWaits: options['exact-waits'],
    limits: parseLimits(options.limits),
    openCredentials: options['open-credentials'],
  };
}

function toPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new UsageError(`--port must be 0..65535, is ${text}`);
}
