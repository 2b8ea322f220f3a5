/** Why a run is not served if its job.json sets one of these fields. */
export function notServedReason(fields: readonly string[]): string {
  return (
    `job.json sets ${fields.join(', ')}, and what is served is judged only by pipeline.json, so that no uploader ` +
    'decides it (docs/security.md)'
  );
}

/** How the model of such a run can be served: by a run of the same inputs that only pipeline.json judges. */
export function toBeServed(fields: readonly string[], pipeline: string): string {
  const settings = fields.filter((field) => field !== 'input');
  const steps = [
    ...(settings.length === 0 ? [] : [`set ${settings.join(', ')} in pipeline.json`]),
    ...(fields.includes('input') ? [`copy the inputs to incoming/${pipeline}/DROP/`] : []),
  ];
  return `${steps.join(', ')}, leave ${fields.join(', ')} out of job.json, and deploy the run of that drop`;
}
