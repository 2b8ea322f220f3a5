import type { LabelPreview, LabelQuestion } from '../../api/console/label-preview.ts';
import { openedColumns } from '../../app/inputs/opened-columns.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { kindOf } from '../../drop/drop-key.ts';
import { READING_TITLE } from '../../label/reading-text.ts';
import { mergeJob } from '../../pipeline/merge-job.ts';
import { parseJobConfig, parsePipelineConfig } from '../../pipeline/parse-config.ts';
import { previewLabels } from '../../plan/judge/preview-labels.ts';
import { resolveClasses, truthProblems } from '../../plan/judge/resolve-labels.ts';
import { problemLine } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { DropParts } from '../../run/run-id.ts';
import { isOneRecord } from '../../transform/one-record.ts';
import { LookedAtTables } from '../files/looked-at-tables.ts';

/**
 * How a pipeline would read the labels of files that a page is about to upload; undefined if it reads none, or its settings
 * can't be read.
 */
export async function labelPreview(
  store: ObjectStore,
  drop: DropParts,
  { names, of, labelFiles, tables, job: jobText }: LabelQuestion,
): Promise<LabelPreview | undefined> {
  const { pipeline } = drop;
  const read = parsePipelineConfig((await store.readText(bucketLayout.pipelineConfig(pipeline))) ?? '');
  if (!('value' in read) || read.value === undefined) return undefined;
  const job = jobText === '' ? undefined : parseJobConfig(jobText);
  const { config } = mergeJob(read.value, job !== undefined && 'value' in job ? job.value : undefined);
  const { labels, transform } = config;
  const text = Array.isArray(labels.classes)
    ? undefined
    : await store.readText(bucketLayout.pipelineFile(pipeline, labels.classes.file));
  const labelsFile = jobText === '' ? 'pipeline.json' : 'job.json';
  const { classes, problems } = resolveClasses(labels.classes, text, labelsFile);
  const wrong = [...problems, ...truthProblems(labels.truth, labelsFile)];
  if (wrong.length > 0)
    return { title: READING_TITLE, lines: [], notes: [], problems: wrong.map(problemLine) };
  const prefix = bucketLayout.dropFolder(drop);
  const { truth } = labels;
  const file = labelFiles.find(({ name }) => truth?.from === 'file' && name === truth.path);
  const inputs = names.filter((name) => kindOf(name, 'inference') === 'file');
  const found = await previewLabels(
    { ...labels, classes },
    {
      keys: inputs.map((name) => prefix + name),
      of: of - (names.length - inputs.length),
      labelFile: file && { head: Buffer.from(file.head, 'base64'), size: file.size },
      place: { bucket: store.bucket, prefix },
    },
    {
      // The files of a table are known by now, and not their records.
      labelsFile,
      isOneRecord: config.columns === null && isOneRecord({ ...transform, columns: null }),
      again: `inferdrop pipeline put FOLDER --name ${pipeline} and upload the files`,
    },
  );
  const columns = openedColumns(config);
  if (columns === null) return found && { title: READING_TITLE, ...found };
  const looked = new LookedAtTables(columns);
  for (const { name, head, size } of tables) await looked.add(name, Buffer.from(head, 'base64'), size);
  const { lines, notes, problems: ofLabels } = found ?? { lines: [], notes: [], problems: [] };
  return {
    title: found === undefined ? 'Tables' : READING_TITLE,
    lines,
    notes: [...looked.notes, ...notes],
    problems: [...looked.refused, ...ofLabels],
    refusal: looked.refused[0],
  };
}
