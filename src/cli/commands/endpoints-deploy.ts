import { lastPassed } from '../../app/plan/read/find-baseline.ts';
import { judgedByJson } from '../../app/records/judged-run.ts';
import { newestRuns } from '../../app/records/run-index.ts';
import { notServedReason, toBeServed } from '../../pipeline/not-served.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type Application, connect } from '../application.ts';
import { changeEndpoint, requirePipeline } from '../change-endpoint.ts';
import { defineCommand, JSON_FORM, STAGE, valued } from '../define-command.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { Refusal } from '../refusal.ts';
import { toRun } from '../runs/run-result.ts';
import { visible } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

/** Newest runs among which the reason is looked for why none can be served. */
const LOOKED_AT = 20;

/** `inferdrop endpoints deploy`: serves a run's model; without `--run`, the model of the newest run that passed its gate. */
export const command = defineCommand({
  about: 'Serves the model of a run, blue/green, after a smoke test.',
  examples: ['inferdrop endpoints deploy cats', 'inferdrop endpoints deploy cats --run cats/monday/000001'],
  page: 'docs/serving.md',
  options: {
    run: valued('RUN', 'another run than the newest that passed its gate'),
    ...JSON_FORM,
    ...STAGE,
  },
  operand: 'PIPELINE',
  async run({ options, operand }, terminal) {
    const pipeline = requirePipeline(operand);
    const application = await connect(options.stage);
    await requireKnownPipeline(application.store, pipeline);
    if (options.run !== undefined && toRun(options.run).pipeline !== pipeline)
      throw new UsageError(`--run ${options.run} is not a run of ${pipeline}`);
    const run = options.run ?? (await newestPassed(application, pipeline));
    if ((await application.store.describe(bucketLayout.reportJson(toRun(run)))) === undefined)
      throw new Refusal(
        `${run} has no report: it still runs, does not exist, or S3 has removed its files after RunsRetentionDays ` +
          `(inferdrop runs --pipeline ${pipeline} lists those that exist)`,
      );
    terminal.note(`Deploying ${visible(run)}`);
    return changeEndpoint(application, { action: 'deploy', pipeline, run }, terminal, options.json);
  },
});

async function newestPassed({ store }: Application, pipeline: string): Promise<string> {
  const passed = await lastPassed(store, pipeline);
  if (passed !== null) return passed;
  for await (const { run, gate } of newestRuns(store, 'inference', pipeline, LOOKED_AT)) {
    if (gate !== 'passed') continue;
    const { judgedByDrop = [] } = (await judgedByJson(toRun(run)).read(store)) ?? {};
    if (judgedByDrop.length > 0)
      throw new Refusal(
        `${run} passed its gate and cannot be served: its ${notServedReason(judgedByDrop)}. To serve the model, ` +
          `${toBeServed(judgedByDrop, pipeline)}`,
      );
  }
  throw new Refusal(
    `no run of ${pipeline} that can be served has passed its gate; name one with --run, or see inferdrop runs --pipeline ${pipeline}`,
  );
}
