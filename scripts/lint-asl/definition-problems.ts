import validate from 'asl-validator';
import { parseDefinition } from '@inferdrop/laptop/internal/states/parse-definition';
import { InvalidDefinition, toText } from '@inferdrop/laptop/internal/states/problem';
import { expressionProblems } from './expression-problems.ts';
import type { Problem } from './problem.ts';
import { rawProblems } from './raw-problems.ts';

/** All defects of a state machine's definition. `${Name}` is a placeholder that the template fills in. */
export async function definitionProblems(text: string): Promise<Problem[]> {
  const own = await ownProblems(text);
  return [...own, ...validatorProblems(text)];
}

/** Defects that asl-validator does not find: refusals of the local engine, names in expressions, rules of this project. */
export async function ownProblems(text: string): Promise<Problem[]> {
  const substituted = withSubstitutions(text);
  const problems: Problem[] = [];
  try {
    problems.push(...(await expressionProblems(parseDefinition(substituted))));
  } catch (error) {
    if (!(error instanceof InvalidDefinition)) throw error;
    problems.push(...error.problems.map((problem) => ({ state: problem.state, message: toText(problem) })));
  }
  const raw = readJson(substituted);
  return raw === undefined ? problems : [...rawProblems(raw), ...problems];
}

function validatorProblems(text: string): Problem[] {
  const raw = readJson(withSubstitutions(text));
  if (raw === undefined) return [];
  return validate(raw).errors.map((error) => ({
    message: `asl-validator: ${error['Error code']}: ${error.message}`,
  }));
}

/** Undefined for text that is not JSON: the engine's own reader reports it. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withSubstitutions(text: string): string {
  return text
    .replace(/arn:\$\{[\w.:-]+\}:/g, 'arn:aws:')
    .replace(/("Resource"\s*:\s*)"\$\{([\w-]+)\}"/g, '$1"arn:aws:lambda:us-east-1:000000000000:function:$2"')
    .replace(/\$\{([\w.:-]+)\}/g, 'substituted-$1');
}
