import type { Link, TreeTask } from '../tree-ensemble.ts';

/** Task of an objective, and how it makes an answer of a sum. */
export interface Objective {
  readonly task: TreeTask;
  readonly link: Link;
  /** Turns `base_score` into a number that is added to the sum. */
  readonly margin: (score: number) => number;
}

const itself = (score: number): number => score;
const logit = (score: number): number => -Math.log(1 / score - 1);

const number: Objective = { task: 'regression', link: 'identity', margin: itself };
const positive: Objective = { task: 'regression', link: 'exp', margin: Math.log };
const classes: Objective = { task: 'classification', link: 'softmax', margin: itself };

/** Objectives of https://xgboost.readthedocs.io/en/stable/parameter.html#learning-task-parameters with a known answer. */
export const OBJECTIVES: ReadonlyMap<string, Objective> = new Map([
  ['binary:logistic', { task: 'classification', link: 'sigmoid', margin: logit }],
  ['binary:hinge', { task: 'classification', link: 'step', margin: itself }],
  ['multi:softprob', classes],
  ['multi:softmax', classes],
  ['reg:logistic', { task: 'regression', link: 'sigmoid', margin: logit }],
  ['reg:squarederror', number],
  ['reg:linear', number],
  ['reg:squaredlogerror', number],
  ['reg:absoluteerror', number],
  ['reg:pseudohubererror', number],
  ['reg:quantileerror', number],
  ['rank:pairwise', number],
  ['rank:ndcg', number],
  ['rank:map', number],
  ['reg:gamma', positive],
  ['reg:tweedie', positive],
  ['count:poisson', positive],
  ['survival:cox', positive],
  ['survival:aft', positive],
]);
