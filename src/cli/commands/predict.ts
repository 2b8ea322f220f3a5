import { setTimeout as pause } from 'node:timers/promises';
import type { PredictAnswer } from '../../api/api-schemas.ts';
import { requestType } from '../../api/request-type.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { decimal } from '../../text/figures.ts';
import { type Application, connect } from '../application.ts';
import { defineCommand, flag, JSON_FORM, required, STAGE } from '../define-command.ts';
import { predictFile, PredictionRefused, predictRaw } from '../files/predict-files.ts';
import { predictTable, shownRecord } from '../files/predict-table.ts';
import { writeRaw } from '../files/write-raw.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { type Column, right, toTable } from '../show/table.ts';
import { visible } from '../show/terminal.ts';

/** One line of the table: a prediction about a file. */
export interface PredictionLine {
  readonly file: string;
  readonly prediction: PredictAnswer['predictions'][number];
  readonly latencyMs: number;
}

/** Cap on the characters of an answer in the list. */
const MAX_ANSWER = 80;

/** Columns of the list of predictions. */
export const PREDICTION_COLUMNS: readonly Column<PredictionLine>[] = [
  { title: 'FILE', text: ({ file }) => visible(file) },
  { title: 'LABEL', text: ({ prediction }) => visible(labelOf(prediction)) },
  right('SCORE', ({ prediction }) => ('label' in prediction ? toScore(prediction.score) : '')),
  {
    title: 'NEXT',
    text: ({ prediction }) =>
      'label' in prediction
        ? prediction.topK
            .filter(({ index }) => index !== prediction.index)
            .slice(0, 2)
            .map(({ label, score }) => `${visible(label)} ${toScore(score)}`)
            .join(', ')
        : '',
  },
  right('MS', ({ latencyMs }) => decimal(latencyMs, 0)),
];

/** The class of a prediction, or the answer if nobody judges it. */
function labelOf(prediction: PredictionLine['prediction']): string {
  if ('label' in prediction) return prediction.label;
  const answer = JSON.stringify(prediction.answer);
  return answer.length > MAX_ANSWER ? `${answer.slice(0, MAX_ANSWER)}…` : answer;
}

/** `inferdrop predict`: sends files, one after the other, through the prediction API. */
export const command = defineCommand({
  about: 'Sends files through the prediction API, one after the other.',
  examples: [
    'inferdrop predict cat.png --pipeline cats',
    'inferdrop predict a.png b.png --pipeline cats --json',
  ],
  page: 'docs/serving.md',
  options: {
    pipeline: required('NAME', 'the pipeline of the endpoint that answers'),
    raw: flag("hand on the container's own answers, byte for byte"),
    ...JSON_FORM,
    ...STAGE,
  },
  oneOf: ['raw', 'json'],
  operand: 'FILE…',
  async run({ options, operands: files }, terminal) {
    const { pipeline } = options;
    const application = await connect(options.stage);
    const lines: PredictionLine[] = [];
    const refusals: string[] = [];
    const waiting = { status: (line: string) => terminal.status(line), pause };
    try {
      for (const [index, file] of files.entries()) {
        terminal.status(`  predicting ${index + 1} of ${files.length}`);
        if (options.raw) {
          const bytes = await predictRaw(application, pipeline, file, waiting);
          terminal.status('');
          writeRaw(bytes, { file, several: files.length > 1 }, process.stdout);
          continue;
        }
        const table = await tablePipelineOf(application, pipeline, file);
        if (table !== undefined) {
          for await (const record of predictTable(application, table, file, waiting)) {
            const { index, line, ...found } = record;
            if (options.json) terminal.print(JSON.stringify({ file, record: index, line, ...found }));
            if ('refusal' in record) refusals.push(record.refusal);
            else lines.push({ ...record, file: shownRecord(file, record) });
          }
          continue;
        }
        const { answer } = await predictFile(application, pipeline, file, waiting);
        if (options.json) terminal.print(JSON.stringify({ file, ...answer }));
        for (const prediction of answer.predictions)
          lines.push({ file, prediction, latencyMs: answer.latencyMs });
      }
    } catch (error) {
      if (error instanceof PredictionRefused && error.status === 404)
        await requireKnownPipeline(application.store, pipeline);
      throw error;
    } finally {
      // A file that fails does not discard the answers for those before it.
      if (!options.json && lines.length > 0)
        for (const line of toTable(lines, PREDICTION_COLUMNS)) terminal.print(line);
      if (!options.json) for (const refusal of refusals) terminal.print(visible(refusal));
    }
    return refusals.length === 0 ? 0 : 1;
  },
});

/** The pipeline, if it opens the file as a table. */
async function tablePipelineOf(
  { store }: Pick<Application, 'store'>,
  pipeline: string,
  file: string,
): Promise<Parameters<typeof predictTable>[1] | undefined> {
  if (!/csv|json/.test(requestType(file))) return undefined;
  const text = await store.readText(bucketLayout.pipelineConfig(pipeline));
  const parsed = text === undefined ? undefined : parsePipelineConfig(text);
  if (parsed === undefined || !('value' in parsed)) return undefined;
  const { columns, transform } = parsed.value;
  return columns === null ? undefined : { pipeline, columns, contentType: transform.contentType };
}

function toScore(score: number | null): string {
  return score === null ? '–' : decimal(score, 4);
}
