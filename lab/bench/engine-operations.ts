/**
 * Prints the kinds of operations that a signature of a SavedModel needs, as a JSON array.
 *
 *     node lab/bench/engine-operations.ts VERSION_DIR [SIGNATURE]
 */
import { loadModel } from '@inferdrop/savedmodel/load-model';

const [versionDir = '', signature = 'serving_default'] = process.argv.slice(2);
console.log(JSON.stringify(loadModel(versionDir).operations(signature)));
