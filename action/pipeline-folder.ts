import { copyFile, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parsePipelineConfig } from '../src/pipeline/parse-config.ts';
import { type PipelineConfig, toConfigDocument } from '../src/pipeline/pipeline-config.ts';
import { problemLine } from '../src/problem/problem.ts';
import { Refused } from './refused.ts';

export const CONFIG = 'pipeline.json';
const ARCHIVE = 'model.tar.gz';

/**
 * Reads pipeline.json.
 *
 * @param whose the branch, as a message names it
 * @throws {Refused} with everything wrong with it
 */
export function readConfig(text: string, whose: string): PipelineConfig {
  const parsed = parsePipelineConfig(text);
  if ('value' in parsed) return parsed.value;
  throw new Refused(`${whose} pipeline.json is wrong:\n${parsed.problems.map(problemLine).join('\n')}`);
}

/** Text of the request's pipeline.json. */
export async function requestText(workspace: string, folder: string): Promise<string> {
  const file = await ownFile(workspace, folder, CONFIG);
  if (file === undefined) throw new Refused(`${folder} has no ${CONFIG}`);
  return readFile(file, 'utf8');
}

/** Makes a folder for `pipeline put` of settings, the archive of one folder and the class names of another. */
export async function stagePipeline(
  scratch: string,
  {
    config,
    archive,
    classes,
  }: {
    readonly config: PipelineConfig;
    readonly archive: string | undefined;
    readonly classes: string | undefined;
  },
): Promise<string> {
  const folder = await mkdtemp(path.join(scratch, 'pipeline-'));
  if (archive !== undefined) await copyFile(archive, path.join(folder, ARCHIVE));
  const named = config.labels.classes;
  if (!Array.isArray(named) && classes !== undefined) await writeFile(path.join(folder, named.file), classes);
  await writeFile(path.join(folder, CONFIG), JSON.stringify(toConfigDocument(config), null, 2));
  return folder;
}

/** The archive in a folder; undefined if there is none. */
export function archiveIn(workspace: string, folder: string): Promise<string | undefined> {
  return ownFile(workspace, folder, ARCHIVE);
}

/**
 * A file of a folder; undefined if there is none.
 *
 * @throws {Refused} if it is a link that leads out of the checkout: what lies there is not the request's to show
 */
async function ownFile(workspace: string, folder: string, name: string): Promise<string | undefined> {
  const file = path.resolve(workspace, folder, name);
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined) return undefined;
  const bound = await realpath(file.startsWith(workspace + path.sep) ? workspace : folder);
  if (real.startsWith(bound + path.sep)) return real;
  throw new Refused(`${name} in ${folder} is a link that leads out of ${bound}: put the file itself there`);
}
