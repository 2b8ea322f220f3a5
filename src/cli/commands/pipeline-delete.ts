import { runningRuns } from '../../app/progress/running-runs.ts';
import { runningWork } from '../../aws/sagemaker/running-work.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RUN_KIND_NAMES } from '../../run/run-kind.ts';
import { type Application, connect } from '../application.ts';
import { requirePipeline } from '../change-endpoint.ts';
import { defineCommand, flag, JSON_FORM, STAGE } from '../define-command.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { deletePipeline } from '../pipelines/delete-pipeline.ts';
import { hasEndpoint } from '../pipelines/has-endpoint.ts';
import { Refusal } from '../refusal.ts';
import { ask } from '../show/ask.ts';

/** Cap on the runs under way that a refusal names. */
const MAX_NAMED = 5;

/** `inferdrop pipeline delete`: closes a pipeline, and keeps its files. */
export const command = defineCommand({
  about:
    'Deletes a pipeline: no drop runs and no model is trained under its name any more. Its pipeline.json is kept ' +
    'as deleted-pipeline.json next to the model; model, inputs, runs and reports stay. Refused while a run is under ' +
    'way or an endpoint serves it.',
  examples: ['inferdrop pipeline delete cats', 'inferdrop pipeline delete cats --yes'],
  page: 'docs/command-line.md',
  options: {
    yes: flag('do not ask for the name to be typed'),
    ...JSON_FORM,
    ...STAGE,
  },
  operand: 'PIPELINE',
  async run({ options, operand }, terminal) {
    const pipeline = requirePipeline(operand);
    const application = await connect(options.stage);
    const { store, bucket } = application;
    await requireKnownPipeline(store, pipeline);
    await refuseWhileInUse(application, pipeline);
    const place = (key: string): string => `s3://${bucket}/${key}`;
    const config = bucketLayout.pipelineConfig(pipeline);
    if (!options.yes) {
      terminal.note(`${place(config)} goes, so that nothing runs under this name; every other file stays.`);
      terminal.status('');
      const typed = await ask(`Type ${pipeline} to delete it: `);
      if (typed?.trim() !== pipeline)
        throw new Refusal(
          typed === undefined
            ? `nothing is deleted: this is no terminal to type the name in; add --yes`
            : `nothing is deleted: ${JSON.stringify(typed)} is not ${pipeline}`,
        );
    }
    const kept = place(await deletePipeline(store, pipeline));
    terminal.print(
      options.json
        ? JSON.stringify({ pipeline, kept })
        : `${pipeline} is deleted. Its settings are kept: aws s3 mv ${kept} ${place(config)} brings it back`,
    );
    return 0;
  },
});

/** @throws {Refusal} with the commands that end what uses the pipeline */
async function refuseWhileInUse(application: Application, pipeline: string): Promise<void> {
  const work = runningWork();
  const running = await Promise.all(
    RUN_KIND_NAMES.map(async (kind) =>
      runningRuns(
        application.executions(kind),
        await work.executions(application.machines.runs[kind]),
        pipeline,
      ),
    ),
  );
  const runs = running.flat().map(({ run }) => run);
  if (runs.length > 0)
    throw new Refusal(
      `${pipeline} is not deleted: ${runs.slice(0, MAX_NAMED).join(', ')}${runs.length > MAX_NAMED ? ', …' : ''} ` +
        'under way. Wait for the end (inferdrop watch RUN), or inferdrop cancel RUN',
    );
  if (await hasEndpoint(application, pipeline))
    throw new Refusal(
      `${pipeline} is not deleted: an endpoint serves it. End it first: inferdrop endpoints delete ${pipeline}`,
    );
}
