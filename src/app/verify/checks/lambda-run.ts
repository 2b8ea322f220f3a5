import { toExecutionName } from '../../../run/execution-name.ts';
import { decimal, dollars } from '../../../text/figures.ts';
import { reportFigures } from '../../records/run-index.ts';
import type { Check } from '../check.ts';
import { CPU_INSTANCE } from '../estimates.ts';
import { failed, type Finding, ok } from '../finding.ts';
import { dropTestFiles } from '../probe/drop.ts';
import { awaitExecution, functionRun } from '../probe/run.ts';

const FILES = 40;
const SETTINGS = {
  transform: { contentType: 'application/x-image', instanceTypes: [CPU_INSTANCE], engine: 'lambda' },
  gate: { minAccuracy: 0.5 },
  endpoint: { type: 'lambda', ttlHours: 1 },
  limits: { maxCostUsd: 1, maxRuntimeMinutes: 60 },
};

/** A drop that functions answer: converted by prepare-model, and opened by the library of Lambda's own processors. */
export const lambdaRun: Check = {
  name: 'lambda-run',
  asks: `Does a drop of ${FILES} files go through functions of Lambda, the model converted there?`,
  usd: 0.01,
  run: async ({ store, executions, id, ...services }) => {
    const { clock } = services;
    const run = functionRun(id);
    const began = clock().getTime();
    await dropTestFiles(store, run, { files: FILES, settings: SETTINGS });
    const arn = executions.arnOf(toExecutionName(run));
    const execution = await awaitExecution(executions, arn, services);
    const seconds = (clock().getTime() - began) / 1000;
    return judgeLambdaRun({ execution, seconds, report: await reportFigures(run).read(store) });
  },
};

/** Outcome of a run of functions. */
interface LambdaRunFacts {
  /** Final state of its execution, with error and cause where it has them. */
  readonly execution: string;
  /** Time from the first upload to the end. */
  readonly seconds: number;
  /** Undefined if there is no report. */
  readonly report:
    | {
        readonly status: string;
        readonly total: number;
        readonly errors: number;
        readonly costUsd: number | null;
        readonly gate: { readonly verdict: string };
      }
    | undefined;
}

/** Whether functions convert a model, open it and answer all inputs of a drop. */
export function judgeLambdaRun({ execution, seconds, report }: LambdaRunFacts): Finding {
  if (report?.status !== 'completed')
    return failed(
      `execution ${execution}; ${report === undefined ? 'no report' : `report ${report.status}`}`,
      NOT_WELL,
    );
  const { total, errors, costUsd, gate } = report;
  const cost = costUsd === null ? 'at an unknown cost' : `for ${dollars(costUsd)}`;
  const answered =
    `execution ${execution}; report completed with ${total - errors} of ${FILES} predictions ${cost}, ` +
    `${decimal(seconds, 0)} seconds after the first upload`;
  const isWell = total === FILES && errors === 0 && gate.verdict === 'passed';
  return isWell
    ? ok(answered, 'Functions convert models and answer the inputs of runs.')
    : failed(answered, NOT_WELL);
}

const NOT_WELL =
  'Runs with transform.engine "lambda" do not end well: see the message of the run and the logs of prepare-model and ' +
  'predict-shard. Set transform.engine to "sagemaker" until then, and report this file.';
