import { nearestName } from '../pipeline/nearest-name.ts';
import { brokenConstraint, type DeclaredParameters, optionName } from './declared-parameter.ts';

/** Parameters that `--param` gives, by their names in CloudFormation, and the problems of the others. */
export interface GivenParameters {
  /** Empty text asks for the default. */
  readonly values: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/** Reads the values of `--param`, each `name=value`, and judges them and the stage by the template's constraints. */
export function readGivenParameters(
  options: readonly string[],
  stage: string,
  declared: DeclaredParameters,
): GivenParameters {
  // The stage is part of the stack's name, so it has an option of its own.
  const byOption = new Map(
    Object.keys(declared)
      .filter((name) => name !== 'Stage')
      .map((name) => [optionName(name), name]),
  );
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (const option of options) {
    const at = option.indexOf('=');
    const written = at < 0 ? option : option.slice(0, at);
    const name = byOption.get(written);
    if (written === 'stage') problems.push('--param stage: name the stage with --stage');
    else if (name === undefined) problems.push(unknownName(written, [...byOption.keys()]));
    else if (at < 0) problems.push(`--param ${written} needs a value: --param ${written}=VALUE`);
    else if (values.has(name)) problems.push(`--param ${written} is given twice: give it once`);
    else values.set(name, option.slice(at + 1));
  }
  for (const [name, value] of [...values, ['Stage', stage] as const]) {
    const parameter = declared[name];
    // Empty text asks for the default.
    const rule = parameter && value !== '' ? brokenConstraint(value, parameter) : undefined;
    if (rule !== undefined)
      problems.push(`${name === 'Stage' ? '--stage' : optionName(name)} must be ${rule}, is '${value}'`);
  }
  return { values, problems };
}

function unknownName(written: string, known: readonly string[]): string {
  const near = nearestName(written, known);
  return `--param ${written}: there is no such parameter${
    near === undefined ? `. There are ${known.join(', ')}` : `, did you mean ${near}?`
  }`;
}
