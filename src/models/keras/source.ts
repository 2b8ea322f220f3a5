import type { ForPython, ModelSource } from '../source.ts';

/** Files of Keras, which become a SavedModel in a Python with TensorFlow. */
export const keras: ModelSource = { kinds: ['keras', 'hdf5'], door: { kind: 'exported', look } };

/** The layer that holds code, which Keras has run when it loaded an HDF5 file. */
const CODE = '"Lambda"';

function look(bytes: Uint8Array): ForPython {
  const hasCode = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(CODE);
  return {
    what: 'a Keras model',
    script: 'src/models/keras/export.py',
    packages: ['tensorflow'],
    strange: hasCode ? 'run the code that its Lambda layer holds' : undefined,
  };
}
