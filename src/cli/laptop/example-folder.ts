import path from 'node:path';
import { ROOT } from '../root-folder.ts';

/** Folder of the example's pipeline, with its model. */
export function exampleFolder(): Promise<string> {
  return Promise.resolve(path.join(ROOT, 'examples', 'fashion-mnist'));
}
