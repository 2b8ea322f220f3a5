import { userInfo } from 'node:os';
import { connect } from '../application.ts';
import { changeEndpoint, requirePipeline } from '../change-endpoint.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { hasEndpoint } from '../pipelines/has-endpoint.ts';
import { Refusal } from '../refusal.ts';

/** `inferdrop endpoints delete`: deletes an endpoint, its configurations and models. */
export const command = defineCommand({
  about: 'Deletes what serves a pipeline: endpoint, configurations and models. The pipeline stays.',
  examples: ['inferdrop endpoints delete cats'],
  page: 'docs/serving.md',
  options: { ...JSON_FORM, ...STAGE },
  operand: 'PIPELINE',
  async run({ options, operand }, terminal) {
    const pipeline = requirePipeline(operand);
    const application = await connect(options.stage);
    if (!(await hasEndpoint(application, pipeline))) {
      await requireKnownPipeline(application.store, pipeline);
      throw new Refusal(
        `nothing serves ${pipeline}, so nothing is deleted: inferdrop endpoints shows what is served`,
      );
    }
    const reason = `${userInfo().username} asked for it with the inferdrop command line`;
    return changeEndpoint(application, { action: 'delete', pipeline, reason }, terminal, options.json);
  },
});
