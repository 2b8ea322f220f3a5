/** `evaluation.json` of a training, as a stored document. */
export function evaluationText(facts: object): string {
  const trainedOn = { count: 0, first: [], compared: 0 };
  const runs = { incumbentRun: null, candidateRun: null };
  const none = { nearDuplicates: null, sharedGroups: null, equalRows: null, incumbentTrainedOn: null };
  return JSON.stringify({ schema: 1, ...runs, trainedOn, ...none, ...facts });
}
