import type { Problem } from './problem.ts';

/** Constructs that the language allows and this project does not, and slips that parsers accept. */
export function rawProblems(definition: unknown): Problem[] {
  const problems: Problem[] = [];
  visitStates(definition, (name, state) => {
    const say = (message: string): void => void problems.push({ state: name, message });
    if (state['Type'] === 'Task' && state['TimeoutSeconds'] === undefined) {
      say('a Task needs TimeoutSeconds: without it, a lost answer keeps the execution for a year');
    }
    const retriers: unknown = state['Retry'];
    if (Array.isArray(retriers)) {
      retriers.forEach((retrier: unknown, index) => {
        if (isObject(retrier) && retrier['MaxAttempts'] === 0) return;
        if (!isObject(retrier) || retrier['JitterStrategy'] === undefined) {
          say(
            `Retry[${index}] needs a JitterStrategy: executions that failed together would come back together`,
          );
        }
      });
    }
    for (const { field, text } of textsOf(state)) {
      const opens = text.includes('{%');
      const closes = text.includes('%}');
      const isExpression = text.startsWith('{%') && text.endsWith('%}');
      if ((opens || closes) && !isExpression)
        say(`${field} is taken literally: an expression is the whole string, {% … %}`);
    }
  });
  return problems;
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function visitStates(block: unknown, visit: (name: string, state: Fields) => void): void {
  if (!isObject(block) || !isObject(block['States'])) return;
  for (const [name, state] of Object.entries(block['States'])) {
    if (!isObject(state)) continue;
    visit(name, state);
    visitStates(state['ItemProcessor'], visit);
    if (Array.isArray(state['Branches']))
      state['Branches'].forEach((branch: unknown) => visitStates(branch, visit));
  }
}

function textsOf(state: Fields): { field: string; text: string }[] {
  const texts: { field: string; text: string }[] = [];
  const visit = (value: unknown, field: string): void => {
    if (typeof value === 'string') texts.push({ field, text: value });
    else if (Array.isArray(value)) value.forEach((item: unknown, index) => visit(item, `${field}[${index}]`));
    else if (isObject(value))
      for (const [key, member] of Object.entries(value)) visit(member, `${field}.${key}`);
  };
  for (const [key, member] of Object.entries(state)) {
    if (key !== 'Comment' && key !== 'ItemProcessor' && key !== 'Branches') visit(member, key);
  }
  return texts;
}
