import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { FRAMEWORKS } from '../frameworks/frameworks.ts';
import { resolveImageUri } from '../frameworks/image-uri.ts';
import type { Numbers } from '../label/label-check.ts';
import { readArchive } from '../model/read-archive.ts';
import { parsePipelineConfig } from '../pipeline/parse-config.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import { bestJudged, startsContainer } from '../plan/engine/engine-config.ts';
import { planningOf } from '../plan/engine/engine-of.ts';
import { OR_SAGEMAKER } from '../plan/engine/lambda-planning.ts';
import { answeringModel, archiveProblems, functionArchiveProblems } from '../plan/judge/judge-archive.ts';
import type { KnownModel } from '../plan/judge/judge-pipeline.ts';
import type { Problem } from '../problem/problem.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { isSourceDir, isSourceFile, sourceProblems } from '../training/judge-source.ts';
import type { Application } from './application.ts';
import { listLocalFiles, type LocalFile } from './files/local-files.ts';
import { uploadFiles } from './files/upload-files.ts';
import { judgeScripts } from './model/script-problems.ts';
import { Refusal } from './refusal.ts';

const CONFIG = 'pipeline.json';
const WithLabels = z.looseObject({ labels: z.looseObject({}) });
/** Name of the model's archive in a pipeline's folder. */
export const ARCHIVE = 'model.tar.gz';

/** A pipeline's files in a folder; none is uploaded while there are problems. */
export interface PipelineFolder {
  /** pipeline.json last: a pipeline that has one is complete. */
  readonly files: readonly LocalFile[];
  readonly problems: readonly Problem[];
  /** Undefined if it cannot be read. */
  readonly config?: PipelineConfig;
  /** Text of the file that `labels.classes` names; undefined if the folder has no such file. */
  readonly classesText?: string | undefined;
  readonly model?: KnownModel;
}

/**
 * Reads a folder with pipeline.json, model.tar.gz, the file of its classes and, if pipeline.json has `training`, the source folder,
 * and judges each as a run would before it starts.
 *
 * @throws {Refusal} if there is no such folder, or no pipeline.json in it
 */
export async function readPipelineFolder(folder: string): Promise<PipelineFolder> {
  const info = await stat(folder).catch(() => undefined);
  if (info === undefined) throw new Refusal(`${folder} does not exist`);
  const config = info.isDirectory() ? await localFile(folder, CONFIG) : undefined;
  if (config === undefined) {
    throw new Refusal(
      info.isDirectory()
        ? `${folder} has no ${CONFIG}: give the folder that holds it and ${ARCHIVE}`
        : `${folder} is a file: give the folder that holds ${CONFIG} and ${ARCHIVE}`,
    );
  }
  const parsed = parsePipelineConfig(await readFile(config.file, 'utf8'));
  const value = 'value' in parsed ? parsed.value : parsed.repaired;
  if (value === undefined) return { files: [], problems: parsed.problems };
  const archive = await readModel(folder, value);
  const source = await readSource(folder, value);
  const { classes } = value.labels;
  const names = Array.isArray(classes) ? undefined : await localFile(folder, classes.file);
  return {
    files: [...archive.files, ...(names === undefined ? [] : [names]), ...source.files, config],
    config: value,
    classesText: names && (await readFile(names.file, 'utf8')),
    ...(archive.model && { model: archive.model }),
    problems: [...parsed.problems, ...archive.problems, ...source.problems],
  };
}

/**
 * Uploads the files that were read. Files that are only in the bucket stay.
 *
 * @param numbers `labels.numbers` of the uploaded pipeline.json, if the file doesn't set it
 */
export async function putPipeline(
  { store }: Pick<Application, 'store'>,
  pipeline: string,
  { files }: PipelineFolder,
  numbers?: Numbers,
): Promise<void> {
  const prefix = bucketLayout.pipelineFile(pipeline, '');
  await uploadFiles(store, prefix, files.slice(0, -1), () => undefined);
  const config = files.at(-1);
  if (config === undefined || numbers === undefined)
    return uploadFiles(store, prefix, files.slice(-1), () => undefined);
  const given = WithLabels.parse(JSON.parse(await readFile(config.file, 'utf8')));
  const settled = { ...given, labels: { ...given.labels, numbers } };
  await store.write(prefix + config.relative, `${JSON.stringify(settled, null, 2)}\n`);
}

/** Reads the archive next to pipeline.json; an archive in another place, or a training, can stand in for it. */
async function readModel(folder: string, config: PipelineConfig): Promise<PipelineFolder> {
  const { model, training } = config;
  const archive = await localFile(folder, ARCHIVE);
  const about = (message: string): Problem => ({ file: ARCHIVE, field: '', value: '', message });
  if (model.artifact !== null) return { files: [], problems: [] };
  if (archive === undefined) {
    const missing = about(
      `is not in ${folder}, and ${CONFIG} names no model.artifact: write it with inferdrop model pack`,
    );
    return { files: [], problems: training === null ? [missing] : [] };
  }
  const read = await readArchive(createReadStream(archive.file));
  if ('reason' in read) return { files: [archive], problems: [about(read.reason)] };
  const [instanceType = ''] = config.transform.instanceTypes;
  const { framework, frameworkVersion: version } = model;
  const image = resolveImageUri({ framework, version, instanceType, region: 'us-east-1' });
  const scripts = await judgeScripts(read, 'imageUri' in image ? image.imageUri : undefined);
  const inArchive = functionArchiveProblems(read, model);
  const { inFunctions } = FRAMEWORKS[framework];
  const inScripts =
    inArchive.length > 0 || !('runsScripts' in inFunctions && inFunctions.runsScripts)
      ? []
      : scripts.refused.map(
          ({ text, alternative }) =>
            `has a script that functions cannot run: ${text}${alternative && `: ${alternative}`}`,
        );
  const reasons = [
    ...archiveProblems(read, config),
    ...bestJudged(
      config,
      (engine) => planningOf(engine).archiveProblems(inArchive),
      (problems) => problems,
    ).map(({ message }) => message),
    ...(startsContainer(config) ? [] : inScripts.map((reason) => `${reason}, ${OR_SAGEMAKER} in ${CONFIG}`)),
    ...scripts.uncompilable,
    // An image of your own may have any Python.
    ...(model.image === null ? scripts.damage : []),
  ];
  return {
    files: [archive],
    problems: reasons.map(about),
    model: {
      answers: answeringModel(read, model),
      sizeBytes: read.sizeBytes,
      functionReasons: [...inArchive, ...inScripts],
    },
  };
}

async function readSource(folder: string, { training }: PipelineConfig): Promise<PipelineFolder> {
  if (training === null) return { files: [], problems: [] };
  const place = path.join(folder, training.sourceDir);
  const isThere =
    isSourceDir(training.sourceDir) && (await stat(place).catch(() => undefined))?.isDirectory() === true;
  const found = isThere ? (await listLocalFiles(place)).files : [];
  const source = found.filter(({ relative }) => isSourceFile(relative));
  const files = source.map(({ relative, sizeBytes }) => ({ path: relative, bytes: sizeBytes, etag: '' }));
  const problems = sourceProblems(training, { place: `${place}${path.sep}`, files, texts: new Map() });
  const named = source.map((one) => ({ ...one, relative: `${training.sourceDir}/${one.relative}` }));
  return { files: named, problems };
}

async function localFile(folder: string, name: string): Promise<LocalFile | undefined> {
  const file = path.join(folder, name);
  const info = await stat(file).catch(() => undefined);
  return info?.isFile() === true ? { file, relative: name, sizeBytes: info.size } : undefined;
}
