import type { ArchiveRules } from '../../../src/frameworks/archive.ts';

/** An archive of trees has a file xgboost-model. */
export const trees: ArchiveRules = {
  serves: ({ files }) => files.includes('xgboost-model'),
  layoutProblems: (files) =>
    files.includes('xgboost-model') ? [] : ['has no xgboost-model: save it with booster.save_model'],
  answering: () => ({
    signature: undefined,
    isPlain: false,
    answersOutputs: false,
    classes: ['stayed', 'left'],
  }),
  ownHandler: (files) =>
    files.includes('code/inference.py') ? [] : [{ name: 'code/inference.py', body: Buffer.from('trees') }],
  plainModel: null,
  functionProblems: () => ['has trees'],
};
