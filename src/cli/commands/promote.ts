import { userInfo } from 'node:os';
import { startEndpointChange } from '../../app/endpoint/start-endpoint-change.ts';
import { promoteByHand } from '../../app/training/promote-by-hand.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { connect } from '../application.ts';
import { defineCommand, flag, JSON_FORM, STAGE } from '../define-command.ts';
import { toRun } from '../runs/run-result.ts';
import { UsageError } from '../usage-error.ts';

/** `inferdrop promote`: makes the model of a training its pipeline's. */
export const command = defineCommand({
  about:
    'Makes the model of a training the one of its pipeline, or rolls back to one that was promoted before. Where ' +
    'endpoint.deploy is "when-gate-passes" and the gate of its evaluation passed, the endpoint follows.',
  examples: ['inferdrop promote training/cats/monday/000001'],
  page: 'docs/training.md',
  options: {
    force: flag(
      'also a model that failed its gate, that was not promoted after its training, or that was compared with another ' +
        'model and never promoted',
    ),
    ...JSON_FORM,
    ...STAGE,
  },
  operand: 'TRAINING',
  async run({ options, operand }, terminal) {
    const run = toRun(operand);
    if (run.kind !== 'training')
      throw new UsageError(
        `TRAINING must be training/<pipeline>/<drop>/<generation>, as "inferdrop runs" shows it, is ${operand}`,
      );
    const { store, bucket, endpointChanges } = await connect(options.stage);
    const services = { store, clock: () => new Date() };
    const by = `${userInfo().username} with the inferdrop command line`;
    const { sha256, isNew, deploy, candidateRun } = await promoteByHand(
      { run, by, force: options.force },
      services,
    );
    const deploys = isNew && deploy === 'when-gate-passes' && candidateRun !== null;
    if (deploys) {
      const { pipeline } = run;
      await startEndpointChange(
        endpointChanges,
        { action: 'deploy', pipeline, run: candidateRun },
        `promotion of ${operand}`,
      );
    }
    if (options.json) {
      terminal.print(JSON.stringify({ training: operand, sha256, isNew, deploys }));
      return 0;
    }
    const model = `s3://${bucket}/${bucketLayout.pipelineModel(run.pipeline)}`;
    terminal.print(
      isNew ? `${model} is the model of ${operand} now` : `${model} was the model of ${operand} already`,
    );
    if (deploys) terminal.print('Its endpoint follows, with a message of its own (inferdrop endpoints)');
    return 0;
  },
});
