import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceFolder } from '../../../src/cli/deployment/service-folder.ts';
import { ROOT } from '../../../src/cli/root-folder.ts';
import { copyFolder } from '../../copy-folder.ts';
import { LAMBDA } from '../../native-part.ts';
import { LAYOUT } from '../layout.ts';
import { unpackFunctions } from './package-application.ts';

/** A temporary copy, since osls writes next to serverless.yml and the package's own folder may be another user's. */
export async function openServiceFolder(): Promise<ServiceFolder> {
  const bundles = await unpackFunctions(ROOT, LAMBDA);
  const folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-deploy-'));
  await copyFolder(path.join(ROOT, LAYOUT.service), folder);
  await namePlugins(folder);
  return {
    folder,
    environment: { INFERDROP_BUNDLES: bundles },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Gives serverless.yml the compiled plugins of the package, since Node strips no types below node_modules: as files next to it that
 * export them, since osls takes no absolute paths.
 */
async function namePlugins(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'plugins'));
  const plugins = path.join(ROOT, LAYOUT.plugins);
  for (const plugin of await readdir(plugins)) {
    const { href } = pathToFileURL(path.join(plugins, plugin));
    const file = path.join(folder, 'plugins', `${path.basename(plugin, '.js')}.mjs`);
    await writeFile(file, `export { default } from ${JSON.stringify(href)};\n`);
  }
  const file = path.join(folder, 'serverless.yml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/\.\/scripts\/([a-z-]+)\.ts/g, './plugins/$1.mjs'));
}
