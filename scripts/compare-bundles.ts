import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ServerlessTools } from './serverless-plugin.ts';

/**
 * Lets `serverless deploy` detect that nothing has changed. It compares the last deployment with the zips in `.serverless`, and
 * the bundles lie elsewhere: without a copy there, every deployment uploads all functions and updates each of them.
 */
export default class CompareBundles {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor(serverless: ServerlessTools) {
    this.hooks = {
      'before:aws:deploy:deploy:checkForChanges': async () => {
        const { service, serviceDir } = serverless;
        const folder = path.join(serviceDir, '.serverless');
        await mkdir(folder, { recursive: true });
        const artifacts = Object.values(service.functions).map((one) => one.package.artifact);
        await Promise.all(
          artifacts.map((file) =>
            copyFile(path.resolve(serviceDir, file), path.join(folder, path.basename(file))),
          ),
        );
      },
    };
  }
}
