/** The entry of a run in the index, as a stored document. */
export function runSummary(facts: {
  readonly run: string;
  readonly endedAt: string;
  readonly [fact: string]: unknown;
}): string {
  const figures = { total: 2, correct: 1, accuracy: 0.5, labeled: 2, seconds: 1.5, costUsd: 0.1 };
  const none = { rescoreOf: null, sampleOf: null };
  return JSON.stringify({ schema: 1, status: 'completed', ...figures, gate: 'passed', ...none, ...facts });
}
