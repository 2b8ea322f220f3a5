const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Control characters are not allowed in XML; direction marks and zero-width characters could make one name look like another. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g; // eslint-disable-line no-control-regex -- they are what is looked for

/** A piece of HTML or SVG that is safe to put into a document. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | undefined | false | readonly Part[];

/** Builds markup. Every part that is not markup itself is escaped, so that a user's name cannot become an element. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  let markup = strings[0] ?? '';
  for (const [at, part] of parts.entries()) markup += toMarkup(part) + (strings[at + 1] ?? '');
  return { markup };
}

/** This program's own text that is markup already. */
export function raw(markup: string): Markup {
  return { markup };
}

/** Escapes text for element content and quoted attributes; invisible characters become visible. */
function escapeMarkup(text: string): string {
  return showInvisible(text.toWellFormed()).replace(
    /[&<>"']/g,
    (character) => ENTITIES[character] ?? character,
  );
}

/** Shows control characters and direction marks as `\u202e`, for every place where a user's name is printed. */
export function showInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function toMarkup(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeMarkup(part);
  if (typeof part === 'number') return String(part);
  if (isList(part)) return part.map(toMarkup).join('');
  return part.markup;
}

function isList(part: Part): part is readonly Part[] {
  return Array.isArray(part);
}
