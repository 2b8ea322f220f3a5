import type { Verdict } from '../../../src/api/console/run-row.ts';

/** Shape and word of a verdict. */
const VERDICTS: Readonly<Record<Verdict, readonly [shape: string, word: string]>> = {
  unread: ['off', '…'],
  waiting: ['waiting', 'waiting'],
  running: ['running', 'running'],
  passed: ['passed', 'gate passed'],
  'failed-gate': ['failed', 'gate failed'],
  completed: ['passed', 'completed'],
  failed: ['failed', 'failed'],
  canceled: ['off', 'canceled'],
  refused: ['refused', 'refused'],
  empty: ['off', 'empty'],
};

/** Words for a run that is in a step. */
const DOING: Readonly<Record<string, string>> = {
  'Wait for files': 'waiting for files',
  Plan: 'planning',
  'Open tars': 'opening tars',
  Model: 'preparing the model',
  Bundle: 'bundling inputs',
  Predict: 'predicting',
  'Check outputs': 'checking outputs',
  Count: 'counting',
  Decide: 'deciding',
  Report: 'writing the report',
  Message: 'sending the message',
  Source: 'packing the source',
  Train: 'training',
  Judge: 'judging',
  Promote: 'promoting',
  Deploy: 'deploying',
};

/** Shape and word of how a run stands. */
export function stateOf(verdict: Verdict, step: string | null): readonly [shape: string, word: string] {
  const [shape, word] = VERDICTS[verdict];
  if (verdict !== 'waiting' && verdict !== 'running') return [shape, word];
  if (verdict === 'waiting' && step === 'Plan') return [shape, 'waiting for its turn'];
  if (verdict === 'waiting' && step === 'Predict') return [shape, 'waiting for an instance'];
  return [shape, step === null ? 'starting' : (DOING[step] ?? step)];
}
