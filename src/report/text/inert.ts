import { showInvisible } from '../page/markup.ts';

/** A user's name as Markdown text: markup, elements, mentions, addresses and control characters are made inert. */
export function inert(text: string): string {
  return (
    showInvisible(text.toWellFormed())
      .replace(/[\\`*_[\]<>|~#]/g, (character) => `\\${character}`)
      .replaceAll('@', '@\u200b')
      // GitHub makes links of addresses that stand alone (GFM, "Autolinks").
      .replace(/\b(?:https?|ftp):(?=\/\/)|\bwww(?=\.)/gi, '$&\u200b')
  );
}
