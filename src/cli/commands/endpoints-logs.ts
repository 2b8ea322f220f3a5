import { servedJson } from '../../app/records/endpoint.ts';
import { endpointLogs, functionLogs } from '../../aws/logs/endpoint-logs.ts';
import { toCandidateName, toEndpointName } from '../../endpoint/names.ts';
import { HOUR_MS } from '../../text/milliseconds.ts';
import { connect } from '../application.ts';
import { requirePipeline } from '../change-endpoint.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { visible } from '../show/terminal.ts';

/** Period that `endpoints logs` covers, and cap on the lines it shows. */
const LOG_HOURS = 24;
const LOG_LINES = 1_000;

/**
 * `inferdrop endpoints logs`: log lines of the last day, of an endpoint's containers and its candidates', or of the function
 * that serves it.
 */
export const command = defineCommand({
  about:
    'Shows what the containers of an endpoint and of its candidates, or the function that serves it, have written within the last day.',
  examples: ['inferdrop endpoints logs cats'],
  page: 'docs/serving.md',
  options: { ...JSON_FORM, ...STAGE },
  operand: 'PIPELINE',
  async run({ options, operand }, terminal) {
    const pipeline = requirePipeline(operand);
    const { endpointPrefix, bucket, store } = await connect(options.stage);
    const owner = { prefix: endpointPrefix, bucket };
    const names = [toEndpointName(owner, pipeline), toCandidateName(owner, pipeline)];
    const serving = `${endpointPrefix}-serve-model`;
    const since = new Date(Date.now() - LOG_HOURS * HOUR_MS);
    const served = await servedJson(pipeline).read(store);
    const components = Object.values(served?.variants ?? {}).flatMap(({ component }) => component ?? []);
    const places = [
      ...names.map((name) => ['Endpoints', name] as const),
      ...components.map((name) => ['InferenceComponents', name] as const),
    ];
    const found = await Promise.all([
      ...places.map(async ([kind, endpoint]) =>
        (await endpointLogs(kind, endpoint, since, LOG_LINES)).map((line) => ({ endpoint, ...line })),
      ),
      // Endpoints of type lambda share a function.
      functionLogs(serving, pipeline, since, LOG_LINES).then((lines) =>
        lines.map((line) => ({ endpoint: serving, ...line })),
      ),
    ]);
    const lines = found
      .flat()
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      .slice(-LOG_LINES);
    if (lines.length === 0) await requireKnownPipeline(store, pipeline);
    if (lines.length === 0) terminal.note(`no log of ${names.join(' or ')} in the last ${LOG_HOURS} hours`);
    for (const line of lines)
      terminal.print(
        options.json
          ? JSON.stringify(line)
          : `${line.at.toISOString()} ${line.endpoint} ${line.stream} ${visible(line.text)}`,
      );
    return 0;
  },
});
