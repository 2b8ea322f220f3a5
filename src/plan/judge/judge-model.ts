import type { AnsweringModel } from '../../frameworks/archive.ts';
import { ARCHIVES } from '../../frameworks/archives.ts';
import { bundleFiles } from '../../frameworks/bundle-files.ts';
import type { Framework } from '../../frameworks/framework-name.ts';
import type { AddedFile } from '../../model/append-to-tar.ts';
import type { ArchiveContents } from '../../model/archive-contents.ts';
import { familyOf } from '../../model/instance-families.ts';
import { INFERENCE_SCRIPT } from '../../model/script-names.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import type { Problem } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { startsContainer } from '../engine/engine-config.ts';
import type { ArchiveProblem, EnginePlanning } from '../engine/engine-planning.ts';
import type { FoundModel, Original } from '../found.ts';
import { answeringModel, archiveProblems, functionArchiveProblems } from './judge-archive.ts';

/** How a model's archive fits its pipeline, and what is added to it. */
export interface JudgedModel {
  readonly problems: readonly Problem[];
  /** Undefined if there's no archive to read, or it was judged when its run was planned. */
  readonly answers?: AnsweringModel | undefined;
  /** Why a function can't run it; each reason names the change to make. */
  readonly functionReasons: readonly string[];
  readonly sizeBytes: number | undefined;
  readonly notes: readonly string[];
  /** Files added for endpoints, and for jobs that are sent bundles; empty if the archive is used as it is. */
  readonly added: { readonly handler: readonly AddedFile[]; readonly opening: readonly AddedFile[] };
}

const NOTHING_ADDED: JudgedModel['added'] = { handler: [], opening: [] };

/** Judges whether the container, or the function, would serve an archive as it was read. */
export function judgeModel(
  { artifact, place, archive, problems }: FoundModel,
  {
    run,
    bucket,
    config,
    planning,
    isBundled = false,
  }: {
    readonly run: RunParts;
    /** The application's own bucket. */
    readonly bucket: string;
    readonly config: PipelineConfig;
    readonly planning: Pick<EnginePlanning, 'archiveProblems'>;
    /** Whether its inputs are sent in bundles. */
    readonly isBundled?: boolean;
  },
): JudgedModel {
  const unread = { functionReasons: [], sizeBytes: undefined, notes: [], added: NOTHING_ADDED };
  const about = (found: ArchiveProblem): Problem => ({ file: artifact, field: '', value: '', ...found });
  if (archive === undefined || place === undefined) return { ...unread, problems };
  if ('reason' in archive) return { ...unread, problems: [about({ message: archive.reason })] };
  const { model } = config;
  const handler = ownHandler(archive.files, model);
  const functionReasons = functionArchiveProblems(archive, model);
  const found = [
    ...archiveProblems(archive, config).map((message) => ({ message })),
    ...planning.archiveProblems(functionReasons),
  ].map(about);
  const opening = isBundled && found.length === 0 ? withBundles(archive, model.framework, handler) : [];
  const added = found.length === 0 ? { handler, opening } : NOTHING_ADDED;
  return {
    problems: found,
    answers: answeringModel(archive, model),
    functionReasons,
    sizeBytes: archive.sizeBytes,
    notes: addedNotes(artifact, added, { run, bucket, config }),
    added,
  };
}

/** The model of an earlier run: it was judged then. Its archive is looked into only if a function is to serve it now. */
export function keptModel({ archive }: FoundModel, { plan: { model } }: Original): JudgedModel {
  return {
    problems: [],
    functionReasons:
      archive === undefined || 'reason' in archive ? [] : functionArchiveProblems(archive, model),
    sizeBytes: model.sizeBytes,
    notes: [],
    added: NOTHING_ADDED,
  };
}

function addedNotes(
  artifact: string,
  { handler, opening }: JudgedModel['added'],
  {
    run,
    bucket,
    config,
  }: { readonly run: RunParts; readonly bucket: string; readonly config: PipelineConfig },
): string[] {
  const place = (key: string): string => `added in s3://${bucket}/${key}`;
  const notes: string[] = [];
  if (handler.length > 0)
    notes.push(
      `${artifact} has no handler: it is served with inferdrop's own, which opens model.onnx with onnxruntime ` +
        `(code/inference.py and code/requirements.txt, ${place(bucketLayout.packed(run))})${withoutGpu(config)}`,
    );
  if (opening.length > 0)
    notes.push(
      `${artifact} is served with a handler of inferdrop's that opens bundles and calls the archive's own, unchanged ` +
        `(code/inference.py, ${place(bucketLayout.packedForBundles(run))}); an endpoint has the archive without it`,
    );
  return notes;
}

/** The files that let an archive answer bundles, including inferdrop's handler if it's added. */
function withBundles(
  { scripts }: Pick<ArchiveContents, 'scripts'>,
  framework: Framework,
  handler: readonly AddedFile[],
): readonly AddedFile[] {
  const own = handler.find(({ name }) => name === INFERENCE_SCRIPT);
  return [
    ...handler.filter((file) => file !== own),
    ...bundleFiles(framework, own?.body ?? scripts.get(INFERENCE_SCRIPT)),
  ];
}

/** Words about a GPU that the handler of ONNX archives leaves idle; empty if no GPU is requested. */
function withoutGpu({ transform }: PipelineConfig): string {
  const type = transform.instanceTypes.find((one) => familyOf(one).processor === 'gpu');
  return !startsContainer({ transform }) || type === undefined
    ? ''
    : `. It computes on processors: ml.c6i.xlarge costs less than ${type}, and its GPU would stay idle`;
}

/** Files of the handler that inferdrop adds to an archive without one, such as of ONNX; none for images of one's own. */
export function ownHandler(
  files: readonly string[],
  { framework, image }: PipelineConfig['model'],
): readonly AddedFile[] {
  return image === null ? ARCHIVES[framework].ownHandler(files) : [];
}
