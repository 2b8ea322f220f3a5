/** Placeholders for required fields that are wrong; nothing that depends on such a field may be judged by it. */
const LEAST: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
  labels: { classes: ['a', 'b'] },
};

/**
 * pipeline.json with its wrong fields replaced by their defaults, so that the rest can be checked in the same pass.
 *
 * @param wrong dotted paths, as problems name them
 */
export function repair(pipeline: unknown, wrong: readonly string[]): unknown {
  if (!isRecord(pipeline)) return undefined;
  const repaired = structuredClone(pipeline);
  for (const path of wrong) remove(repaired, path.split('.'));
  for (const [section, fields] of Object.entries(LEAST)) {
    const given = repaired[section];
    // Labels may be null; a wrong null is gone by now.
    if (given !== null) repaired[section] = { ...fields, ...(isRecord(given) && given) };
  }
  return repaired;
}

function remove(from: Record<string, unknown>, [name = '', ...rest]: readonly string[]): void {
  const child = from[name];
  // An item cannot be left out of a list: the list would mean something else.
  if (rest.length === 0 || !isRecord(child)) delete from[name];
  else remove(child, rest);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
