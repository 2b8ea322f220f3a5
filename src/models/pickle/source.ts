import type { ForPython, ModelSource } from '../source.ts';
import { readPickle } from './read-pickle.ts';

/** Packages that models are made with. */
const PACKAGES = /^(?:numpy|scipy|pandas|sklearn|joblib|xgboost|lightgbm|catboost|torch)\./;
/** Parts of Python that pickles of them name. */
const PARTS =
  /^(?:copyreg\._reconstructor|_codecs\.encode|collections\.(?:OrderedDict|defaultdict)|(?:builtins|__builtin__)\.(?:object|set|frozenset|slice|range|list|dict|tuple|int|float|complex|bool|str|bytes|bytearray))$/;
const TREES = /^(xgboost|lightgbm|catboost)\./;

/** Pickles, as scikit-learn and joblib write them: programs, which only the Python that made them runs. */
export const pickle: ModelSource = { kinds: ['pickle'], door: { kind: 'python', look } };

function look(bytes: Uint8Array): ForPython | { readonly refused: string } {
  const sight = readPickle(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (sight?.type === undefined)
    return { refused: 'is no whole pickle of an object: write it again with joblib.dump(model, FILE)' };
  const { type, names, version } = sight;
  const unknown = names.find((name) => !PACKAGES.test(name) && !PARTS.test(name));
  const strange = unknown === undefined ? undefined : `import ${unknown}, which no model needs`;
  const [, trees] = TREES.exec(type) ?? [];
  if (trees !== undefined)
    return {
      what: `a pickled ${type}`,
      script: 'src/models/pickle/trees.py',
      packages: [
        trees,
        ...(type.includes('.sklearn.') || names.some((name) => /^(?:sklearn|joblib)\./.test(name))
          ? ['scikit-learn']
          : []),
      ],
      strange,
    };
  if (!type.startsWith('sklearn.') && strange !== undefined)
    return { refused: `would ${strange}: it was not loaded` };
  if (!type.startsWith('sklearn.'))
    return {
      refused:
        `is a pickled ${type}, and only models of scikit-learn, XGBoost, LightGBM and CatBoost are converted: add ` +
        '--code with an inference.py; its ' +
        'model_fn loads it',
    };
  return {
    what: `scikit-learn${version === undefined ? '' : ` ${version}`}: ${type.split('.').at(-1) ?? type}`,
    script: 'src/models/pickle/scikit_learn.py',
    packages: [`scikit-learn${version === undefined ? '' : `==${version}`}`, 'skl2onnx'],
    strange,
  };
}
