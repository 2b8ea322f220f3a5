import { plural } from '../../text/figures.ts';
import type { ModelSource } from '../source.ts';

/** Ensembles of trees, which are converted without Python. */
export const trees: ModelSource = {
  kinds: ['xgboost', 'lightgbm', 'catboost'],
  door: {
    kind: 'converted',
    async load() {
      const { convertTrees, TreesRefused } = await import('@inferdrop/trees');
      return (bytes, file) => {
        try {
          const { trees: count, ...converted } = convertTrees(bytes, file);
          const of = count.used < count.all ? ` of ${count.all}` : '';
          return { ...converted, what: `${converted.library}, ${plural(count.used, 'tree')}${of}` };
        } catch (error) {
          if (error instanceof TreesRefused) return { refused: error.message };
          throw error;
        }
      };
    },
  },
};
