import { newestDrop, type ProbedDrop } from '../../app/probe/newest-drop.ts';
import { probe as runProbe, type Probed } from '../../app/probe/probe.ts';
import type { TrialEnd } from '../../app/probe/run-trial.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { toRunId } from '../../run/run-id.ts';
import { dollars, grouped, unbilled } from '../../text/figures.ts';
import { withJsonMembers } from '../../text/json-members.ts';
import { type Application, connect, laptopInUse } from '../application.ts';
import { requirePipeline } from '../change-endpoint.ts';
import { defaulted, defineCommand, flag, JSON_FORM, STAGE, valued } from '../define-command.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { probeServices, type QuotedProbe, quoteProbe } from '../open-probe.ts';
import { Refusal } from '../refusal.ts';
import { requireConsent } from '../show/ask.ts';
import { cheapest, probeLines, usdPerMillion } from '../show/probe-lines.ts';
import { type Terminal, visible } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Exit code after SIGINT, by the convention of shells. */
const INTERRUPTED = 130;
const MOST_INPUTS = 100_000;
/** Factor by which trials may cost more than they are quoted at, since a quote is a rule of thumb. */
const MARGIN = 2;
/** Shortest work of a job that shows its speed: S3 lists whole seconds. */
const SHORT_SECONDS = 10;

/** `inferdrop probe`: finds the instance and the requests at once that suit a pipeline. */
export const command = defineCommand({
  about:
    'Runs short jobs over a sample of the newest drop, with one request at once, two, four and so on while that ' +
    'helps, and shows the settings to use.',
  exitCodes: { 0: 'settings were found', 1: 'none was found, or it was refused' },
  examples: [
    'inferdrop probe cats',
    'inferdrop probe cats --instances ml.m5.xlarge,ml.g4dn.xlarge --yes --apply',
  ],
  page: 'docs/probe.md',
  options: {
    images: defaulted('1000', 'N', 'inputs of each job, drawn at random'),
    instances: valued('A,B', 'instance types to compare; by default the first of transform.instanceTypes'),
    'max-cost': valued('USD', 'most that all jobs may cost together; by default twice their quote'),
    apply: flag('write the settings found into pipeline.json'),
    yes: flag('do not ask before the first job'),
    ...JSON_FORM,
    ...STAGE,
  },
  operand: 'PIPELINE',
  async run({ options, operand }, terminal) {
    const pipeline = requirePipeline(operand);
    const asked = toCount(options.images);
    const cap = options['max-cost'] === undefined ? undefined : toDollars(options['max-cost']);
    const application = await connect(options.stage);
    const { store } = application;
    await requireKnownPipeline(store, pipeline);
    const before = await store.describe(bucketLayout.pipelineConfig(pipeline));
    const drop = await newestDrop(store, pipeline);
    const inputs = Math.min(asked, drop.plan.sample?.of ?? drop.plan.objects);
    const instances = options.instances?.split(',');
    const quoted = await quoteProbe(application, drop, { inputs, instances });
    const maxCostUsd = cap ?? Math.max(0.01, MARGIN * quoted.most.usd);
    tellQuote(terminal, { drop, inputs, quoted, maxCostUsd });
    if (!options.yes && laptopInUse() === undefined) {
      terminal.status('');
      await requireConsent();
    }

    const interruption = new AbortController();
    const interrupt = (): void => {
      if (!interruption.signal.aborted)
        terminal.note('Interrupted: the job is stopped, and its outputs are deleted.');
      interruption.abort();
    };
    process.on('SIGINT', interrupt);
    process.on('SIGTERM', interrupt);
    let probed: Probed;
    try {
      const { signal } = interruption;
      probed = await runProbe(
        { ...quoted, drop, inputs, maxCostUsd, signal },
        probeServices(application, terminal),
      );
    } finally {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      terminal.status('');
    }
    const found = cheapest(probed, quoted.hourlyUsd);
    const transform = found && settingsOf(quoted.config, found.best);
    const isApplied =
      transform !== undefined && options.apply && probed.stopped !== 'interrupted'
        ? await apply(application, pipeline, transform, before?.etag)
        : false;
    if (options.json)
      terminal.print(JSON.stringify(toJson(probed, quoted, { pipeline, drop, transform, isApplied })));
    else tellResult(terminal, { probed, quoted, transform, isApplied });
    if (probed.stopped === 'interrupted') return INTERRUPTED;
    return transform === undefined ? 1 : 0;
  },
});

function tellQuote(
  terminal: Terminal,
  {
    drop,
    inputs,
    quoted,
    maxCostUsd,
  }: {
    readonly drop: ProbedDrop;
    readonly inputs: number;
    readonly quoted: QuotedProbe;
    readonly maxCostUsd: number;
  },
): void {
  const { candidates, most, quoteUsd } = quoted;
  terminal.note(visible(`${grouped(inputs)} inputs of ${toRunId(drop.run)}, drawn at random, in each job:`));
  for (const one of candidates)
    terminal.note(
      visible(
        `  ${one.name}: ${dollars(quoteUsd(one.first))} a job at most, ${dollars(quoted.hourlyUsd(one.name))} an hour`,
      ),
    );
  const price = laptopInUse() === undefined ? `are quoted at ${dollars(most.usd)}` : unbilled(most.usd);
  terminal.note(
    `${most.trials} jobs at most, one after the other, ${price}. No job starts beyond ${dollars(maxCostUsd)} (--max-cost).`,
  );
}

/** Fields of `transform` in pipeline.json; a type that is listed already comes first, and the others stay its fallbacks. */
function settingsOf({ transform }: PipelineConfig, { settings }: TrialEnd): Record<string, unknown> {
  const { instanceTypes: types, maxConcurrentTransforms, maxPayloadInMB } = settings;
  const others = transform.instanceTypes.filter((type) => !types.includes(type));
  return {
    instanceTypes: others.length < transform.instanceTypes.length ? [...types, ...others] : types,
    maxConcurrentTransforms,
    ...(maxPayloadInMB !== undefined && { maxPayloadInMB }),
  };
}

/** @throws {Refusal} if pipeline.json has been written since the probe began */
async function apply(
  { store }: Application,
  pipeline: string,
  transform: Record<string, unknown>,
  etag: string | undefined,
): Promise<true> {
  const key = bucketLayout.pipelineConfig(pipeline);
  const text = await store.readText(key);
  const changed = text && withJsonMembers(text, 'transform', transform);
  const isWritten =
    changed !== undefined &&
    etag !== undefined &&
    (await store.replace(key, changed, etag, { contentType: 'application/json' }));
  if (isWritten) return true;
  throw new Refusal(
    `${key} was changed while the probe went on, and stays as it is: write ${JSON.stringify({ transform })} into it`,
  );
}

interface Found {
  readonly transform: Record<string, unknown> | undefined;
  readonly isApplied: boolean;
}

function tellResult(
  terminal: Terminal,
  { probed, quoted, transform, isApplied }: Found & { readonly probed: Probed; readonly quoted: QuotedProbe },
): void {
  for (const line of probeLines(probed, quoted.hourlyUsd)) terminal.print(line);
  const speeds = probed.candidates.flatMap(({ trials }) => trials.flatMap(({ speed }) => speed ?? []));
  if (speeds.some(({ workSeconds }) => workSeconds < SHORT_SECONDS) && laptopInUse() === undefined)
    terminal.note(
      `Work of less than ${SHORT_SECONDS} s shows little, since S3 lists whole seconds: more --images, up to all of the drop.`,
    );
  terminal.print(`The jobs cost ${dollars(probed.spentUsd)}.`);
  if (probed.stopped === 'cost') terminal.note('Stopped: a further job might cost more than --max-cost.');
  if (transform === undefined) return;
  terminal.print(
    `${isApplied ? 'The pipeline.json of the bucket now has' : 'For pipeline.json (--apply writes it)'}: ${JSON.stringify({ transform })}`,
  );
  if (isApplied)
    terminal.note('A copy in a folder of yours does not: pipeline put of it would take this back.');
}

function toJson(
  probed: Probed,
  quoted: QuotedProbe,
  { pipeline, drop, transform, isApplied }: Found & { readonly pipeline: string; readonly drop: ProbedDrop },
) {
  const trials = probed.candidates.flatMap(({ candidate: { name }, trials: own }) =>
    own.map((trial) => ({
      run: trial.run,
      instance: name,
      settings: trial.settings,
      failure: trial.failure,
      inputsPerSecond: trial.speed?.inputsPerSecond ?? null,
      usdPerMillion: usdPerMillion(trial, quoted.hourlyUsd(name)),
      startSeconds: trial.speed?.startSeconds ?? null,
      startupSeconds: trial.speed?.startupSeconds ?? null,
      workSeconds: trial.speed?.workSeconds ?? null,
      costUsd: trial.costUsd,
    })),
  );
  const { spentUsd, stopped } = probed;
  return {
    pipeline,
    of: toRunId(drop.run),
    trials,
    transform: transform ?? null,
    isApplied,
    spentUsd,
    stopped,
  };
}

function toCount(text: string): number {
  const count = Number(text);
  if (/^[1-9]\d*$/.test(text) && count >= 2 && count <= MOST_INPUTS) return count;
  throw new UsageError(`--images must be a number of inputs of 2..${MOST_INPUTS}, is ${text}`);
}

function toDollars(text: string): number {
  const usd = Number(text);
  if (/^\d+(\.\d{1,4})?$/.test(text) && usd > 0 && usd <= 1000) return usd;
  throw new UsageError(`--max-cost must be an amount in US dollars up to 1000, as in 2 or 0.50, is ${text}`);
}
