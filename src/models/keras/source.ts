import type { Look, ModelSource } from '../source.ts';

/** Files of Keras, which become a SavedModel in a Python with TensorFlow. */
export const keras: ModelSource = { kinds: ['keras', 'hdf5'], door: { kind: 'exported', look } };

/** The layer that holds code, which Keras has run when it loaded an HDF5 file. */
const CODE = '"Lambda"';
/** First byte of an HDF5 file, and the attribute that holds its network. */
const HDF5 = 0x89;
const NETWORK = 'model_config';

function look(bytes: Uint8Array): ReturnType<Look> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // The other format, a ZIP archive, always has its network.
  if (file[0] === HDF5 && !file.includes(NETWORK))
    return {
      refused:
        'holds no network, at most its weights: build the network, call load_weights, and write model.save("model.keras")',
    };
  const hasCode = file.includes(CODE);
  return {
    what: 'a Keras model',
    script: 'src/models/keras/export.py',
    packages: ['tensorflow'],
    strange: hasCode ? 'run the code that its Lambda layer holds' : undefined,
  };
}
