import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of this program: the checkout, or the installed package. */
export const ROOT = path.dirname(fileURLToPath(import.meta.resolve('#package.json')));
