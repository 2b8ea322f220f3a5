import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPickle } from '../../../src/models/pickle/read-pickle.ts';

/** Written by scikit-learn 1.9.1, joblib 1.5.3 and pickle in protocols 2, 4 and 5. */
const FIXTURES = path.join(import.meta.dirname, '..', '..', 'fixtures', 'pickles');
const bytesOf = (name: string): Buffer => readFileSync(path.join(FIXTURES, name));

test.each([
  ['pipeline.joblib', 'sklearn.pipeline.Pipeline', '1.9.1', 'sklearn.preprocessing._data.StandardScaler'],
  ['forest.2.pkl', 'sklearn.pipeline.Pipeline', '1.9.1', 'sklearn.ensemble._forest.RandomForestClassifier'],
  ['svc.5.pkl', 'sklearn.svm._classes.SVC', '1.9.1', 'sklearn.svm._classes.SVC'],
  ['xgboost.joblib', 'xgboost.sklearn.XGBClassifier', undefined, 'xgboost.core.Booster'],
  ['strange.pkl', 'posix.system', undefined, 'posix.system'],
])('%s is read without loading it', (name, type, version, imported) => {
  expect(readPickle(bytesOf(name))).toMatchObject({
    type,
    version,
    names: expect.arrayContaining([imported]) as readonly string[],
  });
});

test('a pickle that was cut off, or whose bytes are others, ends in no other error', () => {
  const whole = bytesOf('pipeline.joblib');
  for (let size = 0; size < whole.length; size++) expect(readPickle(whole.subarray(0, size))).toBeUndefined();
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
      const damaged = Buffer.from(whole);
      damaged[at] = byte;
      expect(['object', 'undefined']).toContain(typeof readPickle(damaged));
    }),
  );
});
