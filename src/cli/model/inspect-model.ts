import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describeEngine } from '@inferdrop/model-container/internal/engine-environment';
import { readHandlerScript } from '@inferdrop/model-container/internal/handler-script';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { findModelBundles } from '@inferdrop/savedmodel/internal/model-bundles';
import { RUN_IN_TENSORFLOW } from '@inferdrop/savedmodel/servable-model';
import { frameworkOf, isolationProblems, layoutProblems } from '../../frameworks/archives.ts';
import { newestContainer, newestPatched } from '../../frameworks/end-of-patch.ts';
import type { Framework, TrainingFramework } from '../../frameworks/framework-name.ts';
import type { InspectedHandler } from '../../frameworks/inspection.ts';
import { INSPECTIONS } from '../../frameworks/inspections.ts';
import { readArchive } from '../../model/read-archive.ts';
import { unreadFiles } from '../../model/unread-files.ts';
import { SOURCE_RECORD, SourceRecord } from '../../models/source-record.ts';
import { parsedJson } from '../../text/parse-json.ts';
import { readFailure } from '../files/file-problem.ts';
import { Refusal } from '../refusal.ts';
import { archiveOf, withScratch } from './enter-model.ts';
import { type InspectedOnnx, inspectOnnx } from './inspect-onnx.ts';
import { type InspectedModel, inspectVersion } from './inspect-saved-model.ts';
import { judgeScripts } from './script-problems.ts';

/** The contents of an archive, and where they would run on this machine. */
export interface InspectedArchive {
  readonly file: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly files: number;
  readonly framework: Framework;
  readonly models: readonly InspectedModel[];
  /** The model.onnx at the root; null if there is none that can be read. */
  readonly onnx: InspectedOnnx | null;
  /** The file that its model was converted from; null if it came as it is. */
  readonly source: SourceRecord | null;
  readonly handler: InspectedHandler;
  /** Model, version and signature that answer requests which name none; null if the framework knows no such names, or there is no model. */
  readonly served: string | null;
  /** One sentence each, with the command where one is needed. */
  readonly runs: readonly string[];
  /** Why the container in the cloud would not serve it. */
  readonly problems: readonly string[];
}

/**
 * Reads a model archive as the containers do, converts its models and runs each signature once on zeros; no script is run. Other
 * files and the folder of a SavedModel are read as the archive that packing them makes.
 *
 * @throws {Refusal} if nothing is there, or nothing becomes an archive of it
 */
export async function inspectModel(file: string): Promise<InspectedArchive> {
  return withScratch(async (scratch) => ({
    ...(await inspectArchive(await archiveOf(file, scratch))),
    file,
  }));
}

async function inspectArchive(file: string): Promise<InspectedArchive> {
  const archive = await readArchive(createReadStream(file)).catch((error: unknown): never => {
    throw new Refusal(`${file} cannot be read: ${readFailure(error)}`);
  });
  if ('reason' in archive) throw new Refusal(`${file} ${archive.reason}`);
  return withScratch(async (folder) => {
    await unpackModelArchive(createReadStream(file), folder);
    const bundles = await findModelBundles(folder);
    const script = await readHandlerScript(folder);
    const models: InspectedModel[] = [];
    for (const { name, versions } of bundles)
      for (const [version, dir] of versions)
        models.push(await inspectVersion(name, version, dir, script.hasInferenceScript));
    // TensorFlow's rules say what is missing.
    const framework = frameworkOf(archive) ?? 'tensorflow';
    const inspection = INSPECTIONS[framework];
    const unread = unreadFiles(archive.files, archive);
    const onnx = models.length === 0 ? await inspectOnnx(folder, archive.onnx) : null;
    const scripts = await judgeScripts(archive);
    const handler = {
      script: script.hasInferenceScript ? 'code/inference.py' : null,
      requirements: script.requirements,
      hasLib: script.hasLib,
    };
    return {
      file,
      sha256: archive.sha256,
      sizeBytes: archive.sizeBytes,
      files: archive.files.length,
      framework,
      models,
      onnx,
      source: await readSource(folder, archive.files),
      handler,
      served: inspection.served(archive),
      runs: [
        ...inspection.runs(
          {
            models: models.map(withoutTensorflow),
            handler,
            onnx,
            scripts,
            modes: archive.modes ?? new Map(),
          },
          toInstall,
        ),
        `pipeline: ${framework} ${newestPatched(framework).version} is ${newestContainer(framework, new Date())}`,
        ...isolationProblems(archive.files).map(
          (problem) =>
            `pipeline: with network isolation, the default, a run is refused: the archive ${problem}`,
        ),
      ],
      // Any content type will do for a model that only JSON can reach; whether packages may be installed depends on the pipeline.
      problems: [
        ...unread.map(({ problem }) => problem),
        ...layoutProblems(
          archive.files.filter((one) => !unread.some(({ name }) => name === one)),
          { framework, contentType: 'application/json', networkIsolation: false },
          archive,
        ),
        ...(onnx === null || onnx.refused === null
          ? []
          : [`has a model.onnx that is not served: ${onnx.refused}`]),
        ...scripts.uncompilable,
        ...scripts.damage,
      ],
    };
  });
}

async function readSource(folder: string, files: readonly string[]): Promise<SourceRecord | null> {
  if (!files.includes(SOURCE_RECORD)) return null;
  const text = await readFile(path.join(folder, SOURCE_RECORD), 'utf8');
  return SourceRecord.safeParse(parsedJson(text)).data ?? null;
}

function toInstall(name: TrainingFramework): string {
  return describeEngine(name).installed
    ? 'installed'
    : `not installed: run "inferdrop containers install ${name}"`;
}

/** A model with only the remedies that let it run in onnxruntime. */
function withoutTensorflow(model: InspectedModel): InspectedModel {
  return {
    ...model,
    signatures: model.signatures.map((one) =>
      one.remedy === RUN_IN_TENSORFLOW ? { ...one, remedy: null } : one,
    ),
  };
}
