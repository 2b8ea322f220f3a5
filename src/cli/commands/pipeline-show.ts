import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import { settingOrigins } from '../../pipeline/setting-origins.ts';
import { problemLine } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseWrittenJson } from '../../text/written-json.ts';
import { connect } from '../application.ts';
import { requirePipeline } from '../change-endpoint.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { toTable } from '../show/table.ts';
import { visible } from '../show/terminal.ts';

/** `inferdrop pipeline show`: the settings of a pipeline, defaults included. */
export const command = defineCommand({
  about: 'Shows every setting of a pipeline, and whether it stands in its pipeline.json or is a default.',
  examples: ['inferdrop pipeline show cats'],
  page: 'docs/schema/README.md',
  options: { ...JSON_FORM, ...STAGE },
  operand: 'PIPELINE',
  async run({ options, operand }, terminal) {
    const pipeline = requirePipeline(operand);
    const { store, bucket } = await connect(options.stage);
    await requireKnownPipeline(store, pipeline);
    const text = (await store.readText(bucketLayout.pipelineConfig(pipeline))) ?? '';
    const parsed = parsePipelineConfig(text);
    if (!('value' in parsed)) {
      for (const problem of parsed.problems) terminal.note(visible(problemLine(problem)));
      return 1;
    }
    const settings = settingOrigins(parsed.value, parseWrittenJson(text));
    const place = `s3://${bucket}/${bucketLayout.pipelineFile(pipeline, '')}`;
    if (options.json) terminal.print(JSON.stringify({ pipeline, place, settings }));
    else {
      const lines = toTable(settings, [
        { title: 'SETTING', text: ({ field }) => visible(field) },
        { title: 'FROM', text: ({ from }) => from },
        { title: 'VALUE', text: ({ value }) => visible(JSON.stringify(value)) },
      ]);
      for (const line of lines) terminal.print(line);
      terminal.print(`\nIts files: ${place}`);
    }
    return 0;
  },
});
