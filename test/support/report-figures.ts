/** What the figures of a report are, as a stored document. */
export function reportFigures(figures: object): string {
  const gate = { verdict: 'passed', explanation: 'Accuracy is 1.', isSet: true };
  const counts = { total: 1, correct: 1, errors: 0, accuracy: 1 };
  return JSON.stringify({
    status: 'completed',
    ...counts,
    costUsd: null,
    gate,
    isDoubted: false,
    labelChanges: null,
    errorsByReason: {},
    ...figures,
  });
}
