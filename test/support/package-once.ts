import path from 'node:path';
import { packageApplication } from '../../scripts/package-application.ts';

/**
 * Packages the application before the first test file starts: serverless keeps its state in one folder of the checkout,
 * which two files must not use at once.
 */
export default async function packageOnce(): Promise<void> {
  await packageApplication(path.resolve(import.meta.dirname, '..', '..'), 'dev');
}
