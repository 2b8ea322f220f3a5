import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbedDrop } from '../app/probe/newest-drop.ts';
import type { ProbeServices } from '../app/probe/probe.ts';
import { endedJson } from '../app/records/run.ts';
import { readSpeeds } from '../app/records/speeds.ts';
import { account } from '../aws/account/account.ts';
import { purgePrefix } from '../aws/s3/purged-prefix.ts';
import { parsePipelineConfig } from '../pipeline/parse-config.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import { TransformSettings } from '../pipeline/transform-settings.ts';
import { probeCandidates } from '../plan/decide/probe-candidates.ts';
import { tried } from '../plan/decide/trial.ts';
import { startsContainer } from '../plan/engine/engine-config.ts';
import { planningOf } from '../plan/engine/engine-of.ts';
import { parsePrices } from '../price/price-override.ts';
import { type Candidate, mostTrials, type TrialSettings } from '../probe/climb.ts';
import { problemLine } from '../problem/problem.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { toExecutionName } from '../run/execution-name.ts';
import { short } from '../text/figures.ts';
import { type Application, endpointInUse } from './application.ts';
import { Refusal } from './refusal.ts';
import { followRun } from './show/follow-run.ts';
import { type Terminal, visible } from './show/terminal.ts';
import { UsageError } from './usage-error.ts';

const POLL_MS = 2_000;
const LOCAL_POLL_MS = 200;
/** Time for an execution to appear, and for the clean-up of a canceled run. */
const PATIENCE_MS = 180_000;

/** Trials of a probe, and what they may cost. */
export interface QuotedProbe {
  readonly config: PipelineConfig;
  readonly candidates: readonly Candidate[];
  /** US dollars for an hour of a candidate's instance. */
  readonly hourlyUsd: (name: string) => number | null;
  readonly quoteUsd: (settings: TrialSettings) => number;
  /** Trials of all candidates, and their quote, if each climbs to the end. */
  readonly most: { readonly trials: number; readonly usd: number };
}

/**
 * Judges the instances for a probe, and quotes its trials.
 *
 * @throws {Refusal} if pipeline.json or the price list lacks something, {UsageError} for instances that no job can have
 */
export async function quoteProbe(
  { store }: Application,
  { run, plan }: ProbedDrop,
  { inputs, instances }: { readonly inputs: number; readonly instances: readonly string[] | undefined },
): Promise<QuotedProbe> {
  const [text, priceText, speeds, { region }] = await Promise.all([
    store.readText(bucketLayout.pipelineConfig(run.pipeline)),
    store.readText(bucketLayout.prices()),
    readSpeeds(store, run.pipeline),
    account().identity(),
  ]);
  const parsed = parsePipelineConfig(text ?? '');
  if (!('value' in parsed)) throw new Refusal(parsed.problems.map(problemLine).map(visible).join('\n'));
  const { value: config } = parsed;
  if (!startsContainer(config))
    throw new Refusal(
      `the runs of ${run.pipeline} are in functions, and a probe compares instances: set transform.engine in ` +
        'pipeline.json to "sagemaker" or "auto" first',
    );
  const [usual = ''] = config.transform.instanceTypes;
  const names = TransformSettings.shape.instanceTypes.safeParse(instances ?? [usual]);
  if (!names.success)
    throw new UsageError(
      `--instances must be types such as ml.m5.xlarge, with commas between them, is ${instances?.join()}`,
    );
  const read = priceText === undefined ? undefined : parsePrices(priceText);
  const prices = read !== undefined && 'usdPerHour' in read ? read : undefined;
  const forType = (type: string): PipelineConfig => ({
    ...config,
    transform: { ...config.transform, instanceTypes: [type], instanceCount: 1 },
  });
  const planning = planningOf('sagemaker');
  const hourly = new Map<string, number>();
  for (const type of names.data) {
    const own = forType(type);
    const judged = planning.judge({ config: own, region, prices, wrong: [] });
    const [problem] = judged.problems;
    if (problem !== undefined) throw new Refusal(visible(`${type}: ${problemLine(problem)}`));
    const usd = planning.hourlyUsd(own, judged.prices);
    if (usd === null)
      throw new Refusal(
        `${type}: its price in ${region} is not known, so that the probe has no quote: add it to pipelines/prices.json`,
      );
    hourly.set(type, usd);
  }
  const largest = Math.max(...plan.jobs.map((job) => job.largestObjectBytes));
  const work = { objects: inputs, bytes: (plan.bytes / Math.max(1, plan.objects)) * inputs };
  const quoteUsd = (settings: TrialSettings): number => {
    const own = { ...config, transform: tried(config.transform, settings) };
    const { settings: engine } = planning.jobSettings(own, largest, 'message' in speeds ? [] : speeds);
    return ((hourly.get(settings.instanceTypes[0] ?? '') ?? 0) * planning.quoteSeconds(work, engine)) / 3600;
  };
  const candidates = probeCandidates(config, [...new Set(names.data)], largest);
  // One request at a time is the slowest, and so the dearest.
  const usd = candidates.reduce((sum, one) => sum + mostTrials(one) * quoteUsd(one.first), 0);
  const trials = candidates.reduce((sum, one) => sum + mostTrials(one), 0);
  return {
    config,
    candidates,
    hourlyUsd: (name) => hourly.get(name) ?? null,
    quoteUsd,
    most: { trials, usd },
  };
}

/** The services of a probe. Its runs are shown as they go on. */
export function probeServices(application: Application, terminal: Terminal): ProbeServices {
  const { store, executions, sagemaker } = application;
  const intervalMs = endpointInUse() === undefined ? POLL_MS : LOCAL_POLL_MS;
  return {
    store,
    executions,
    sagemaker,
    purge: purgePrefix,
    clock: () => new Date(),
    async awaitEnd(run) {
      const machine = executions(run.kind);
      const arn = machine.arnOf(toExecutionName(run));
      await followRun(
        machine,
        arn,
        { ...terminal, note: () => undefined },
        { intervalMs, appearWithinMs: PATIENCE_MS },
      );
      const giveUpAt = performance.now() + PATIENCE_MS;
      while ((await endedJson(run).read(store)) === undefined) {
        if (performance.now() > giveUpAt)
          throw new Refusal(
            `the run of the probe, ${bucketLayout.run(run)}, ended, and its clean-up has not: inferdrop runs shows it`,
          );
        await sleep(intervalMs);
      }
    },
    watch: {
      begins: ({ name }, settings) =>
        terminal.status(visible(`  ${name}, ${settings.maxConcurrentTransforms} at once …`)),
      ended: ({ name }, { settings, speed, failure }) =>
        terminal.note(
          visible(
            `  · ${name}, ${settings.maxConcurrentTransforms} at once: ` +
              `${speed === null ? `failed: ${failure}` : `${short(speed.inputsPerSecond, 3)} inputs/s`}`,
          ),
        ),
    },
  };
}
