import { decimal, dollars } from '../../../text/figures.ts';
import type { Check } from '../check.ts';
import { CPU_INSTANCE } from '../estimates.ts';
import { failed, type Finding, ok } from '../finding.ts';
import { functionRun, type TestDropEnd, tryDrop } from '../probe/run.ts';

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
  run: async (services) => {
    const { clock, id } = services;
    const began = clock().getTime();
    const end = await tryDrop(services, functionRun(id), { files: FILES, settings: SETTINGS });
    return judgeLambdaRun({ ...end, seconds: (clock().getTime() - began) / 1000 });
  },
};

/** Outcome of a run of functions. */
interface LambdaRunFacts extends TestDropEnd {
  /** Time from the first upload to the end. */
  readonly seconds: number;
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
