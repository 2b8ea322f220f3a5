import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { unreadable } from '../../drop/readable-place.ts';
import type { AddedFile } from '../../model/append-to-tar.ts';
import { bundleFiles } from '../../model/bundle/bundle-files.ts';
import type { Framework } from '../../model/framework.ts';
import { familyOf } from '../../model/instance-families.ts';
import { handlerFiles } from '../../model/onnx/handler-files.ts';
import { readArchive } from '../../model/read-archive.ts';
import type { ArchiveContents } from '../../model/serving/serving-container.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import { engineOf } from '../../plan/engine-of.ts';
import { functionArchiveProblems } from '../../plan/function-archive.ts';
import type { AnsweringModel } from '../../plan/judge-answers.ts';
import { answeringModel, archiveProblems } from '../../plan/judge-archive.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Problem } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { parseS3Uri } from '../../text/s3-uri.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { packArchive } from './pack-archive.ts';

/**
 * Folders of the application's own bucket that a pipeline may take its model from. Archives are stored by digest: knowing the digest is
 * enough to use one.
 */
function modelFolders(pipeline: string): string[] {
  return [bucketLayout.pipelineFolder('pipelines', pipeline), bucketLayout.shared(), bucketLayout.models()];
}

/** The archive that a run will use, as it is now. */
interface FoundModel {
  readonly artifact: string;
  readonly artifactVersion: string | null;
  readonly artifactEtag: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly served: Plan['model']['served'];
  readonly given: Plan['model']['given'];
}

/** Reads the model's archive once: its digest, its signature, and whether the container would find a model in it. */
export async function preflightModel(
  store: ObjectStore,
  run: RunParts,
  {
    config,
    readBuckets,
    isBundled = false,
  }: {
    readonly config: PipelineConfig;
    readonly readBuckets: readonly string[];
    /** Whether its inputs are sent in bundles. */
    readonly isBundled?: boolean;
  },
): Promise<{
  readonly model?: FoundModel;
  readonly answers?: AnsweringModel;
  readonly problems: readonly Problem[];
  /** Why a function cannot run it, each with what to change in it. */
  readonly functionReasons?: readonly string[];
  /** Notes for the reader, in sentences. */
  readonly notes?: readonly string[];
}> {
  const { model, training } = config;
  const artifact = model.artifact ?? `s3://${store.bucket}/${bucketLayout.pipelineModel(run.pipeline)}`;
  const { bucket = '', key = '' } = parseS3Uri(artifact) ?? {};
  const about = (message: string): { problems: Problem[] } => ({
    problems: [
      { file: 'pipeline.json', field: 'model.artifact', value: toShownValue(model.artifact), message },
    ],
  });
  const places = { ownBucket: store.bucket, ownFolders: modelFolders(run.pipeline), readBuckets };
  const wrong = unreadable({ bucket, key, uri: artifact }, places);
  if (wrong !== undefined) return about(wrong);
  const found = await store.in(bucket).open(key);
  if (found === undefined) {
    const upload = `upload it with aws s3 cp model.tar.gz ${artifact}`;
    return about(
      training === null || model.artifact !== null
        ? `points to ${artifact}, which does not exist: ${upload}`
        : `is null, and ${artifact} does not exist yet: ${upload}, or train it with inferdrop train ${run.pipeline}. The files of this drop are frozen: once there is a model, inferdrop rerun ${quoted(toRunId(run))} predicts them`,
    );
  }
  const archive = await readArchive(found.body);
  const inArchive = (messages: readonly string[]): Problem[] =>
    messages.map((message) => ({ file: artifact, field: '', value: '', message }));
  if ('reason' in archive) return { problems: inArchive([archive.reason]) };
  const { sha256, sizeBytes } = archive;
  const handler = ownHandler(archive.files, model);
  const problems = inArchive([
    ...archiveProblems(archive, config),
    ...engineOf(config).archiveProblems(archive, config),
    ...(isBundled ? unreadScript(archive) : []),
  ]);
  const served = { bucket, key, etag: found.etag, sha256, sizeBytes, ...version(found.versionId) };
  const isRight = problems.length === 0;
  const alone = isRight ? await withFiles(store, bucketLayout.packed(run), handler, served) : served;
  const opening = isBundled && isRight ? withBundles(archive, model.framework, handler) : [];
  const packed =
    opening.length > 0 ? await withFiles(store, bucketLayout.packed(run, 'bundles'), opening, served) : alone;
  const place = (one: StoredArchive): string => `added in s3://${one.bucket}/${one.key}`;
  return {
    model: {
      ...toPlanned(packed),
      sizeBytes: packed.sizeBytes,
      served: packed === alone ? null : toPlanned(alone),
      given: alone === served ? null : { artifact, sha256 },
    },
    answers: answeringModel(archive, model),
    functionReasons: functionArchiveProblems(archive, model),
    problems,
    ...(packed !== served && {
      notes: [
        ...(handler.length > 0
          ? [
              `${artifact} has no handler: it is served with inferdrop's own, which opens model.onnx with onnxruntime (code/inference.py and code/requirements.txt, ${place(alone)})${withoutGpu(config)}`,
            ]
          : []),
        ...(isBundled
          ? [
              `${artifact} is served with a handler of inferdrop's that opens bundles and calls the archive's own, unchanged (code/inference.py, ${place(packed)}); an endpoint has the archive without it`,
            ]
          : []),
      ],
    }),
  };
}

const SCRIPT = 'code/inference.py';

/** Why no handler can be put in the place of an archive's own. */
function unreadScript({
  files,
  scripts,
}: Pick<ArchiveContents, 'scripts'> & { readonly files: readonly string[] }): string[] {
  if (!files.includes(SCRIPT) || scripts.has(SCRIPT)) return [];
  return [
    `has a ${SCRIPT} that is too long to be read, so that no handler for bundles can be put beside it: set transform.bundle to "never"`,
  ];
}

/** The files that have an archive answer bundles, those of a handler of inferdrop's among them. */
function withBundles(
  { scripts }: Pick<ArchiveContents, 'scripts'>,
  framework: Framework,
  handler: readonly AddedFile[],
): readonly AddedFile[] {
  const own = handler.find(({ name }) => name === SCRIPT);
  return [
    ...handler.filter((file) => file !== own),
    ...bundleFiles(framework, own?.body ?? scripts.get(SCRIPT)),
  ];
}

/** Words about a GPU that the handler of ONNX archives leaves idle; empty where none is asked for. */
function withoutGpu({ transform: { engine, instanceTypes } }: PipelineConfig): string {
  const type = instanceTypes.find((one) => familyOf(one).processor === 'gpu');
  return engine === 'lambda' || type === undefined
    ? ''
    : `. It computes on processors: ml.c6i.xlarge costs less than ${type}, whose GPU it does not use`;
}

/** An archive as it lies in a bucket. */
interface StoredArchive {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  readonly versionId?: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

function toPlanned({ bucket, key, versionId, etag, sha256 }: StoredArchive) {
  return {
    artifact: `s3://${bucket}/${key}`,
    artifactVersion: versionId ?? null,
    artifactEtag: etag,
    sha256,
  };
}

function version(versionId: string | undefined): { readonly versionId?: string } {
  return versionId === undefined ? {} : { versionId };
}

/** Files of the handler that inferdrop adds to an ONNX archive without one; none for other archives and images. */
export function ownHandler(
  files: readonly string[],
  { framework, image }: PipelineConfig['model'],
): readonly AddedFile[] {
  return framework === 'onnx' && image === null ? handlerFiles(files) : [];
}

/** An archive, packed with further files into the run's folder; as it is where there are none. */
async function withFiles(
  store: ObjectStore,
  place: string,
  added: readonly AddedFile[],
  served: StoredArchive,
): Promise<StoredArchive> {
  if (added.length === 0) return served;
  // By its ETag: versions are PrepareModel's to read.
  const { bucket, key, etag } = served;
  const packed = await packArchive(store, { bucket, key, etag }, place, added);
  // Replaced while it was read: PrepareModel says so of what is not there any more.
  return packed === undefined ? served : { bucket: store.bucket, ...packed };
}
