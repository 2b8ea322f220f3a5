import type { Shape } from './model.ts';

/**
 * Reads a text of a form, a header or an XML element as the value that JSON would carry; a text that is not such a value stays a
 * text.
 */
export function readLeaf({ type }: Shape, text: string): unknown {
  switch (type) {
    case 'integer':
    case 'long':
      return /^-?\d+$/.test(text) ? Number(text) : text;
    case 'float':
    case 'double':
      return text === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'timestamp': {
      const time = Date.parse(text);
      return Number.isNaN(time) ? text : time / 1000;
    }
    case 'structure':
    case 'list':
    case 'map':
    case 'string':
    case 'blob':
      return text;
  }
}
