import { oneOfWords, type OptionValues, STAGE } from '../define-command.ts';
import { UsageError } from '../usage-error.ts';
import type { Machine } from './laptop-stack.ts';
import { parseLimits } from './parse-limits.ts';
import { parseTrainingPythons } from './parse-training-pythons.ts';
import { DEFAULT_DATA_DIR } from './stack-credentials.ts';

/** Options of the commands that bring up a stack on this machine. */
export const MACHINE_OPTIONS = {
  port: { type: 'string', default: '4820' },
  data: { type: 'string', default: DEFAULT_DATA_DIR },
  handlers: { type: 'string', default: 'pyodide' },
  engine: { type: 'string', default: 'onnxruntime' },
  'legacy-elastic-inference': { type: 'boolean', default: false },
  'training-hosts': { type: 'string', default: 'portable' },
  'training-python': { type: 'string', multiple: true },
  'any-framework-version': { type: 'boolean', default: false },
  limits: { type: 'string', default: '{}' },
  'open-credentials': { type: 'boolean', default: false },
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
    limits: parseLimits(options.limits),
    openCredentials: options['open-credentials'],
  };
}

function toPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new UsageError(`--port must be 0..65535, is ${text}`);
}
