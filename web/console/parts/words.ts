import type { Verdict } from '../../../src/api/console/run-row.ts';

const DAY_MS = 86_400_000;

/** A moment in a few words: relative up to a day, then `22 Nov`. */
export function when(iso: string, nowMs: number): string {
  const at = Date.parse(iso);
  const seconds = Math.max(0, (nowMs - at) / 1000);
  if (seconds < 10) return 'just now';
  if (seconds < 60) return `${Math.round(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (nowMs - at < DAY_MS) return `${Math.floor(seconds / 3600)} h ago`;
  return day(at, nowMs);
}

/** Time that is left until a moment: `7 h 51 min`. */
export function left(iso: string, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((Date.parse(iso) - nowMs) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1440)} days`;
}

/** `20:54 UTC`, with its day where that is not today. */
export function clock(iso: string, nowMs: number): string {
  const text = `${iso.slice(11, 16)} UTC`;
  return iso.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10)
    ? text
    : `${day(Date.parse(iso), nowMs)}, ${text}`;
}

/** The whole moment, for a title. */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

function day(at: number, nowMs: number): string {
  const date = new Date(at);
  const text = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''}`;
  return date.getUTCFullYear() === new Date(nowMs).getUTCFullYear()
    ? text
    : `${text} ${date.getUTCFullYear()}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Shape and word of a verdict. */
const VERDICTS: Readonly<Record<Verdict, readonly [shape: string, word: string]>> = {
  unread: ['off', '…'],
  waiting: ['waiting', 'waiting'],
  running: ['running', 'running'],
  passed: ['passed', 'gate passed'],
  'failed-gate': ['failed', 'gate failed'],
  completed: ['passed', 'completed'],
  failed: ['failed', 'failed'],
  cancelled: ['off', 'cancelled'],
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
