import { showInvisible } from '../page/markup.ts';

/**
 * A user's name as Markdown text: markup, elements, entities, formulas, mentions, issues, addresses and control characters
 * are made inert.
 */
export function inert(text: string): string {
  return (
    showInvisible(text.toWellFormed())
      .replace(/[\\`*_[\]<>|~#&]|\$(?!\d)/g, (character) => `\\${character}`)
      // GitHub looks for mentions and issue numbers once Markdown is text, so a backslash isn't enough to keep them off.
      .replace(/[@#]|\bGH-(?=\d)/gi, '$&\u200b')
      // GitHub makes links of addresses that stand alone (GFM, "Autolinks").
      .replace(/\b(?:https?|ftp):(?=\/\/)|\bwww(?=\.)/gi, '$&\u200b')
  );
}
