import type { Fact } from '../facts.ts';
import { inert } from './inert.ts';

/** Width in characters of the labels in plain text. */
const LABEL_WIDTH = 11;

/** A value and its note: `83.7% (95% interval …)`. */
function factText({ value, note }: Fact): string {
  return note === undefined ? value : `${value} (${note})`;
}

/** Facts as a list in Markdown. */
export function factItems(all: readonly Fact[]): readonly string[] {
  return all.map((fact) => inert(`- ${fact.label}: ${factText(fact)}`));
}

/** Facts below each other, for messages and terminals. */
export function factLines(all: readonly Fact[]): readonly string[] {
  return all.map((fact) => `${fact.label.padEnd(LABEL_WIDTH)}${factText(fact)}`);
}
