import { describe, expect, it } from 'vitest';
import { convertTrees, treeModelKind, TreesRefused } from '../convert-trees.ts';
import { modelOf } from './support/fixtures.ts';

/** A model's text with a part that occurs in it replaced. */
function changed(name: string, from: string | RegExp, to: string): Uint8Array {
  const saved = Buffer.from(modelOf(name)).toString('latin1');
  const text = name.endsWith('.json') ? JSON.stringify(JSON.parse(saved)) : saved;
  const other = text.replace(from, to);
  expect(other).not.toBe(text);
  return Buffer.from(other, 'latin1');
}

function refusalOf(bytes: Uint8Array): string {
  try {
    convertTrees(bytes, 'models/churn');
  } catch (error) {
    if (error instanceof TreesRefused) return error.message;
    throw error;
  }
  return 'none';
}

/** XGBoost's format before JSON: parameters, then the names of objective and booster behind their lengths. */
function oldBinary(): Uint8Array {
  const text = (value: string): Buffer =>
    Buffer.concat([Buffer.from(BigUint64Array.of(BigInt(value.length)).buffer), Buffer.from(value)]);
  return Buffer.concat([Buffer.alloc(136), text('binary:logistic'), text('gbtree'), Buffer.alloc(64)]);
}

describe('refuses by name', () => {
  it.each([
    [
      'an objective',
      changed('xgboost-binary.json', '"binary:logistic"', '"binary:logitraw"'),
      'models/churn has the objective binary:logitraw',
    ],
    [
      'gblinear',
      changed('xgboost-binary.json', '"gbtree"', '"gblinear"'),
      'models/churn has the booster gblinear',
    ],
    [
      'several targets',
      changed('xgboost-forest.ubj', 'num_targetSL\0\0\0\0\0\0\0\x011', 'num_targetSL\0\0\0\0\0\0\0\x013'),
      'answers 3 targets a record',
    ],
    [
      'categories as text',
      changed('xgboost-binary.json', '"enc":[]', '"enc":[{},{},{},{"values":[104,105],"offsets":[0,1,2]}]'),
      'categories as text in column "plan"',
    ],
    ['the old format', oldBinary(), "is in XGBoost's binary format"],
    ['a pickle', Buffer.from('\x80\x04\x95'), 'is no model of XGBoost, LightGBM or CatBoost'],
    [
      'LightGBM without an objective',
      changed('lightgbm-binary.txt', /\nobjective=.*/, ''),
      'has the objective none',
    ],
    ['linear_tree', changed('lightgbm-binary.txt', 'is_linear=0', 'is_linear=1'), 'linear_tree'],
    [
      'pandas categories',
      changed('lightgbm-binary.txt', 'pandas_categorical:null', 'pandas_categorical:[["gold", "basic"]]'),
      'such as "gold"',
    ],
    [
      'a loss',
      changed('catboost-classes.json', /"type":"MultiClass"/, '"type":"MultiRMSE"'),
      'the loss MultiRMSE',
    ],
    [
      'CatBoost categories',
      changed(
        'catboost-classes.json',
        '"features_info":{',
        '"features_info":{"categorical_features":[{"feature_id":"city","flat_feature_index":9}],',
      ),
      'takes categories (city)',
    ],
  ])('%s', (_case, bytes, reason) => {
    expect(refusalOf(bytes)).toContain(reason);
  });

  it('knows a file in the old format by its content', () => {
    expect(treeModelKind(oldBinary())).toBe('xgboost');
    expect(treeModelKind(Buffer.from('{"a":{"learner":1}}'))).toBeUndefined();
    expect(treeModelKind(new Uint8Array())).toBeUndefined();
  });
});

describe('refuses what is damaged', () => {
  it.each([
    [
      'a node with two parents',
      changed('xgboost-binary.json', /"left_children":\[1,/, '"left_children":[2,'),
      'has two branches to node 2',
    ],
    [
      'a column that the model lacks',
      changed('xgboost-binary.json', /"split_indices":\[\d+/, '"split_indices":[9'),
      'has column 9 of 5',
    ],
    [
      'a number of trees',
      changed('xgboost-binary.json', '"num_trees":"8"', '"num_trees":"9"'),
      'counts 9 trees and has 8',
    ],
    [
      'a billion classes',
      changed('xgboost-binary.json', '"num_class":"0"', '"num_class":"1000000000"'),
      'has 8 trees for 1000000000 classes',
    ],
    [
      'a leaf that is no number',
      changed('lightgbm-binary.txt', /leaf_value=[^ ]/, 'leaf_value=x'),
      'its leaf_value has "x',
    ],
    [
      'a size of a tree',
      changed('lightgbm-binary.txt', /tree_sizes=\d/, 'tree_sizes=9'),
      "its tree 1 isn't at byte",
    ],
    [
      'values of a symmetric tree',
      changed('catboost-classes.json', /"leaf_values":\[[^,]*,/, '"leaf_values":['),
      'a tree of depth 3 has 31 values of 32',
    ],
    ['a cut-off file', modelOf('catboost-binary.cbm').subarray(0, 4_000), 'models/churn is damaged'],
  ])('%s', (_case, bytes, reason) => {
    expect(refusalOf(bytes)).toContain(reason);
  });

  it.each(['xgboost-classes.ubj', 'catboost-depthwise.cbm', 'catboost-early.cbm'])(
    'a file that stops anywhere: %s',
    (name) => {
      const bytes = modelOf(name);

      const reasons = Array.from({ length: 400 }, (_, at) =>
        refusalOf(bytes.subarray(0, Math.floor((at * bytes.length) / 400))),
      );

      expect(reasons.filter((reason) => !reason.startsWith('models/churn '))).toEqual([]);
    },
  );

  it('UBJSON that would take more memory than it has bytes', () => {
    // Lists of lists of a type without bytes; each list counts as many items as the file has bytes.
    const item = Buffer.concat([Buffer.from('[$Z#l'), Buffer.from([0, 15, 0, 0])]);
    const bytes = Buffer.concat([Buffer.from('{i\x07learner['), ...Array<Buffer>(110_000).fill(item)]);

    expect(refusalOf(bytes)).toContain('has a list of the type "Z"');
    expect(refusalOf(Buffer.from(`{i\x07learner${'['.repeat(1_000_000)}`))).toContain('nests deeper');
    expect(refusalOf(Buffer.from(`{i\x07learner[${'[]'.repeat(500_000)}]}`))).toContain('too many lists');
  });
});
