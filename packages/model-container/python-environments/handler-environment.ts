import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readHandlerScript } from '../handlers/handler-script.ts';
import { buildEnvironment } from './build-environment.ts';
import { hashFiles, namesFiles } from './requirements-digest.ts';

interface HandlerEnvironmentOptions {
  /** Unpacked archive. */
  readonly modelDir: string;
  /** Folder of all such environments. */
  readonly environmentsDir: string;
  /** Packages that the container's image has installed, in pip's words. */
  readonly image: readonly string[];
  /** The environment of the framework, if the image has a framework. */
  readonly parent?: string;
  readonly log: (line: string) => void;
}

/**
 * The Python with the packages that the archive's `code/requirements.txt` asks for. It is built once: archives that ask for
 * the same share it, and so do jobs that start at the same time.
 *
 * @throws {PythonMissing} {EnvironmentFailed} if it cannot be built; then the same is tried again the next time
 */
export async function handlerEnvironment(options: HandlerEnvironmentOptions): Promise<string> {
  const { modelDir, environmentsDir, image, parent, log } = options;
  const code = join(modelDir, 'code');
  const { hasRequirements, hasLib, requirements: named } = await readHandlerScript(modelDir);
  // As in the image: with packages in code/lib, the file is ignored.
  const requirements =
    hasRequirements && !hasLib ? await readFile(join(code, 'requirements.txt'), 'utf8') : '';
  const hash = createHash('sha256').update(JSON.stringify([image, parent ?? null, requirements]));
  if (namesFiles(requirements)) await hashFiles(code, hash);
  const dir = join(environmentsDir, hash.digest('hex').slice(0, 32));
  let isAnnounced = false;
  return buildEnvironment({
    dir,
    install: [...image, ...(requirements === '' ? [] : ['-r', join(code, 'requirements.txt')])],
    spoken: [...image, ...named],
    workDir: code,
    ...(parent !== undefined && { parent }),
    onLine(line) {
      if (!isAnnounced) log('Installing code/requirements.txt into an environment of its own');
      isAnnounced = true;
      log(line);
    },
  });
}
