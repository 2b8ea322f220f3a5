import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { parseLimits } from './parse-limits.ts';
import { DEFAULT_DATA_DIR } from './stack-credentials.ts';
import { UsageError } from './usage-error.ts';

const OPTIONS = {
  stage: { type: 'string', default: 'dev' },
  pipeline: { type: 'string' },
  name: { type: 'string' },
  wait: { type: 'boolean', default: false },
  once: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  csv: { type: 'boolean', default: false },
  markdown: { type: 'boolean', default: false },
  save: { type: 'string' },
  limit: { type: 'string', default: '20' },
  port: { type: 'string', default: '4820' },
  data: { type: 'string', default: DEFAULT_DATA_DIR },
  'open-credentials': { type: 'boolean', default: false },
  handlers: { type: 'string', default: 'pyodide' },
  engine: { type: 'string', default: 'onnxruntime' },
  'legacy-elastic-inference': { type: 'boolean', default: false },
  limits: { type: 'string', default: '{}' },
  'saved-model': { type: 'string' },
  pytorch: { type: 'string' },
  code: { type: 'string' },
  output: { type: 'string', short: 'o' },
  from: { type: 'string' },
  to: { type: 'string' },
  run: { type: 'string' },
  raw: { type: 'boolean', default: false },
  apply: { type: 'boolean', default: false },
  spend: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

type Option = keyof typeof OPTIONS;

const HELP = `inferdrop: files dropped into S3 become predictions, a report and a message

  inferdrop start [--once] [--json] [--port N] [--data DIR]
      Brings the stack up on this machine and runs the example; stays up until Ctrl-C.
  inferdrop up [--port N] [--data DIR]
      Brings the stack up and nothing else.
      Both take --handlers python (a model's inference.py runs in an installed Python with its requirements.txt)
      and --engine python (models run in TensorFlow, after "inferdrop containers install tensorflow"),
      and --legacy-elastic-inference (endpoints with an AcceleratorType are accepted, as AWS did until April 2024),
      and --limits JSON (quotas of the account, as in '{"lambdaConcurrency": 10}'; local/README.md lists them),
      and --open-credentials (the access key "test" with the secret "test", for suites that know no other; any program
      on this machine can then use the stack).
  inferdrop drop FOLDER --pipeline NAME [--name DROP] [--wait] [--json]
      Uploads a folder as one drop; --wait shows the run and ends with its result, a link to its report and an exit code:
      0 predicted and the gate, if there is one, passed; 3 predicted and the gate failed; 1 failed or refused; 2 wrong command
      line. "rerun --wait" and "start --once" end with the same codes.
  inferdrop runs [--pipeline NAME] [--limit N] [--json]
  inferdrop report RUN [--csv | --json | --markdown | --save DIR]
      RUN is <pipeline>/<drop>/<generation>, as "runs" shows it.
  inferdrop logs RUN [--json]
      What the transform jobs of a run have written: their containers, and SageMaker's data log, which says why inputs failed.
  inferdrop rerun RUN [--wait] [--json]
      The same files with today's pipeline.json.
  inferdrop replay RUN [--wait] [--json]
      The same files, model and settings; predictions are compared row by row. Ends with 1 if any is another one.
  inferdrop cancel RUN

  inferdrop predict FILE… --pipeline NAME [--raw | --json]
      Files through the prediction API; --raw hands on the container's own answers, byte for byte.
  inferdrop endpoints [list] [--json]
  inferdrop endpoints deploy PIPELINE [--run RUN] [--json]
      Serves the newest run whose gate has passed, blue/green, after a smoke test.
  inferdrop endpoints delete|logs PIPELINE [--json]
  inferdrop accelerators migrate [--to gpu|cpu] [--apply] [--json]
      What still asks for Elastic Inference, and what it would become; --apply moves it.

  inferdrop model inspect model.tar.gz [--json]
      Signatures, operations, handler, digest, and what would run where.
  inferdrop model pack (--saved-model DIR | --pytorch FILE) [--code DIR] -o model.tar.gz
      An archive as the containers want it; the same input gives the same bytes.
  inferdrop containers [install tensorflow|pytorch]
      The frameworks that --engine python and PyTorch images need, in an environment of their own.
  inferdrop dataset cifar10|mnist --from FILE --to DIR
      An official archive as PNG folders, TFRecords and NumPy files.

  inferdrop verify [--spend USD] [--json] [--save FILE]
      What AWS answers to the questions that only an account can answer (docs/verify.md). Reads only, unless --spend says
      how much may be spent; --save writes a file to attach to a report. Ends with 1 if a check failed.

  --stage NAME   which deployment (default dev). AWS_ENDPOINT_URL decides where: unset means AWS.
  --version      name and version of this program
`;

const UP: readonly Option[] = [
  'port',
  'data',
  'handlers',
  'engine',
  'legacy-elastic-inference',
  'limits',
  'open-credentials',
  'stage',
];

/** Which options each command takes, or its verb, beside --help. */
const TAKES: Readonly<Record<string, readonly Option[]>> = {
  start: ['once', 'json', ...UP],
  up: UP,
  drop: ['pipeline', 'name', 'wait', 'json', 'stage'],
  runs: ['pipeline', 'limit', 'json', 'stage'],
  report: ['csv', 'json', 'markdown', 'save', 'stage'],
  logs: ['json', 'stage'],
  rerun: ['wait', 'json', 'stage'],
  replay: ['wait', 'json', 'stage'],
  cancel: ['stage'],
  predict: ['pipeline', 'raw', 'json', 'stage'],
  endpoints: ['json', 'stage'],
  'endpoints deploy': ['run', 'json', 'stage'],
  accelerators: ['to', 'apply', 'json', 'stage'],
  model: ['saved-model', 'pytorch', 'code', 'output', 'json'],
  'model inspect': ['json'],
  'model pack': ['saved-model', 'pytorch', 'code', 'output'],
  containers: [],
  dataset: ['from', 'to'],
  verify: ['spend', 'json', 'save', 'stage'],
};

/** Of these a command takes one: each is another form of its result. What verify saves is a file beside it. */
const FORMS = ['csv', 'json', 'markdown', 'save', 'raw'] as const;

/**
 * Reads the command line.
 *
 * @throws {UsageError} for a command, option or value that is not known, with what is
 */
export function parseCommandLine(args: readonly string[]): Command {
  const { values, positionals, tokens } = parse(args);
  const [name, ...operands] = positionals;
  if (values.version) {
    return async (terminal) => {
      terminal.print((await import('../app/report/program.ts')).PROGRAM);
      return 0;
    };
  }
  if (values.help || name === undefined || name === 'help') {
    return async (terminal) => {
      terminal.print(HELP);
      return 0;
    };
  }
  const verb = `${name} ${operands[0] ?? ''}`;
  const called = Object.hasOwn(TAKES, verb) ? verb : name;
  const takes = Object.hasOwn(TAKES, called) && !name.includes(' ') ? TAKES[called] : undefined;
  if (!takes) {
    const commands = Object.keys(TAKES).filter((command) => !command.includes(' '));
    throw new UsageError(`there is no command ${name}; the commands are ${commands.join(', ')}`);
  }
  for (const token of tokens) {
    if (token.kind === 'option' && token.value === '')
      throw new UsageError(`--${token.name} must not be empty`);
    if (token.kind === 'option' && !takes.some((option) => option === token.name)) {
      throw new UsageError(
        `${called} takes no --${token.name}; it takes ${takes.map((one) => `--${one}`).join(', ') || 'no options'}`,
      );
    }
  }
  const forms = FORMS.filter((form) => values[form] !== undefined && values[form] !== false);
  if (forms.length > 1 && called !== 'verify')
    throw new UsageError(
      `${called} takes one of ${forms.map((form) => `--${form}`).join(' and ')}, not both`,
    );
  const { stage, json } = values;
  const containers = {
    handlers: oneOf('handlers', values.handlers, ['pyodide', 'python']),
    engine: oneOf('engine', values.engine, ['onnxruntime', 'python']),
  };
  const machine = {
    stage,
    port: toPort(values.port),
    dataDir: values.data,
    containers,
    legacyElasticInference: values['legacy-elastic-inference'],
    limits: parseLimits(values.limits),
    openCredentials: values['open-credentials'],
  };
  const operand = (what: string): string => {
    const [first, ...more] = operands;
    if (first === undefined || more.length > 0) throw new UsageError(`${name} takes exactly one ${what}`);
    return first;
  };
  const none = (): void => {
    if (operands.length > 0) throw new UsageError(`${name} takes no ${operands.join(' ')}`);
  };
  // Each command is loaded when it is asked for: the stack alone is hundreds of modules.
  switch (name) {
    case 'start': {
      none();
      const { once } = values;
      return async (terminal) =>
        (await import('./commands/start.ts')).start({ ...machine, once, json })(terminal);
    }
    case 'up':
      none();
      return async (terminal) => (await import('./commands/up.ts')).up(machine)(terminal);
    case 'drop': {
      if (values.pipeline === undefined) throw new UsageError('drop needs --pipeline NAME');
      const { pipeline, name: dropName, wait } = values;
      const options = { stage, folder: operand('FOLDER'), pipeline, dropName, wait, json };
      return async (terminal) => (await import('./commands/drop.ts')).drop(options)(terminal);
    }
    case 'runs': {
      none();
      const options = { stage, pipeline: values.pipeline, limit: toCount(values.limit), json };
      return async (terminal) => (await import('./commands/runs.ts')).runs(options)(terminal);
    }
    case 'report': {
      const options = {
        stage,
        run: operand('RUN'),
        csv: values.csv,
        json,
        markdown: values.markdown,
        save: values.save,
      };
      return async (terminal) => (await import('./commands/report.ts')).report(options)(terminal);
    }
    case 'logs': {
      const options = { stage, run: operand('RUN'), json };
      return async (terminal) => (await import('./commands/logs.ts')).logs(options)(terminal);
    }
    case 'replay': {
      const options = { stage, run: operand('RUN'), wait: values.wait, json };
      return async (terminal) => (await import('./commands/replay.ts')).replay(options)(terminal);
    }
    case 'rerun': {
      const options = { stage, run: operand('RUN'), wait: values.wait, json };
      return async (terminal) => (await import('./commands/rerun.ts')).rerun(options)(terminal);
    }
    case 'predict': {
      const { pipeline, raw } = values;
      if (pipeline === undefined) throw new UsageError('predict needs --pipeline NAME');
      if (operands.length === 0) throw new UsageError('predict takes one FILE or more');
      const options = { stage, pipeline, files: operands, raw, json };
      return async (terminal) => (await import('./commands/predict.ts')).predict(options)(terminal);
    }
    case 'endpoints': {
      const [verb = 'list', pipeline, ...more] = operands;
      const load = () => import('./commands/endpoints.ts');
      if (verb === 'list' && pipeline === undefined)
        return async (terminal) => (await load()).listEndpoints({ stage, json })(terminal);
      if (!['deploy', 'delete', 'logs'].includes(verb) || pipeline === undefined || more.length > 0)
        throw new UsageError('endpoints takes list, or one of deploy, delete and logs with one PIPELINE');
      const options = { stage, pipeline, json };
      if (verb === 'deploy')
        return async (terminal) => (await load()).deployEndpoint({ ...options, run: values.run })(terminal);
      if (verb === 'delete') return async (terminal) => (await load()).deleteEndpoint(options)(terminal);
      return async (terminal) => (await load()).showEndpointLogs(options)(terminal);
    }
    case 'accelerators': {
      if (operands.join(' ') !== 'migrate') throw new UsageError('accelerators takes migrate');
      const to = oneOf('to', values.to ?? 'gpu', ['gpu', 'cpu']);
      const options = { stage, to, apply: values.apply, json };
      return async (terminal) =>
        (await import('./commands/accelerators.ts')).migrateAccelerators(options)(terminal);
    }
    case 'model': {
      const [verb, file, ...more] = operands;
      if (verb === 'inspect' && file !== undefined && more.length === 0)
        return async (terminal) =>
          (await import('./commands/model-inspect.ts')).modelInspect({ file, json })(terminal);
      const { pytorch, code, output, 'saved-model': savedModel } = values;
      if (verb !== 'pack' || file !== undefined || output === undefined)
        throw new UsageError(
          'model takes inspect FILE, or pack --saved-model DIR|--pytorch FILE [--code DIR] -o FILE',
        );
      return async (terminal) =>
        (await import('./commands/model-pack.ts')).modelPack({ savedModel, pytorch, code, output })(terminal);
    }
    case 'containers': {
      const [verb, ...engines] = operands;
      const [engine] = engines;
      if (verb === undefined)
        return async (terminal) => (await import('./commands/containers.ts')).containersList()(terminal);
      if (verb !== 'install' || engine === undefined || engines.length > 1)
        throw new UsageError('containers takes nothing, or install and one of tensorflow and pytorch');
      return async (terminal) =>
        (await import('./commands/containers.ts')).containersInstall(engine)(terminal);
    }
    case 'dataset': {
      const { from, to } = values;
      if (from === undefined || to === undefined)
        throw new UsageError('dataset needs --from FILE and --to DIR');
      const options = { name: operand('data set, cifar10 or mnist'), from, to };
      return async (terminal) => (await import('./commands/dataset.ts')).dataset(options)(terminal);
    }
    case 'verify': {
      none();
      const spendUsd = values.spend === undefined ? undefined : toDollars(values.spend);
      const options = { stage, spendUsd, json, save: values.save };
      return async (terminal) => (await import('./commands/verify.ts')).verify(options)(terminal);
    }
    default: {
      const options = { stage, run: operand('RUN') };
      return async (terminal) => (await import('./commands/cancel.ts')).cancel(options)(terminal);
    }
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} must be ${allowed.join(' or ')}, is ${value}`);
}

function toPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new UsageError(`--port must be 0..65535, is ${text}`);
}

function toCount(text: string): number {
  const limit = Number(text);
  // One page of a listing in S3.
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new UsageError(`--limit must be 1..1000, is ${text}`);
}

function toDollars(text: string): number {
  const dollars = Number(text);
  if (/^\d+(\.\d{1,2})?$/.test(text) && dollars <= 1000) return dollars;
  throw new UsageError(`--spend must be an amount in US dollars of 0..1000, as in 5 or 0.50, is ${text}`);
}
