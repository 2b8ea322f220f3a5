/** A value that can be written as XML: an array repeats its element, `undefined` leaves it out, a `Map` is a Query protocol map. */
export type XmlValue =
  | string
  | number
  | boolean
  | Date
  | undefined
  | readonly XmlValue[]
  | ReadonlyMap<string, XmlValue>
  | { readonly [name: string]: XmlValue };

interface XmlOptions {
  readonly namespace?: string;
  /** `member` wraps each item of an array, as the Query protocol does; `flattened` (default) repeats the element, as S3 does. */
  readonly lists?: 'flattened' | 'member';
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Writes a whole document. Elements come in the order of the object's members. */
export function toXmlDocument(root: string, value: XmlValue, options: XmlOptions = {}): string {
  const attribute = options.namespace === undefined ? '' : ` xmlns="${escapeXml(options.namespace)}"`;
  return `${DECLARATION}<${root}${attribute}>${toXmlContent(value, options.lists ?? 'flattened')}</${root}>`;
}

/** Escapes text and attribute values. Control characters become references, so that keys with them survive a round trip. */
function escapeXml(text: string): string {
  return NEEDS_ESCAPE.test(text)
    ? text.replace(EVERY_ESCAPE, (char) => ESCAPES[char] ?? `&#x${char.charCodeAt(0).toString(16)};`)
    : text;
}

// eslint-disable-next-line no-control-regex -- control characters are what it is about
const NEEDS_ESCAPE = /[<>&"'\u0000-\u0008\u000b-\u001f\u007f]/;
const EVERY_ESCAPE = new RegExp(NEEDS_ESCAPE.source, 'g');
const ESCAPES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};

function toXmlContent(value: XmlValue, lists: 'flattened' | 'member'): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeXml(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (isList(value)) return value.map((item) => toXmlElement('member', item, lists)).join('');
  if (value instanceof Map)
    return [...value].map(([key, item]) => toXmlElement('entry', { key, value: item }, lists)).join('');
  return Object.entries(value)
    .map(([name, item]) => toXmlElement(name, item, lists))
    .join('');
}

function toXmlElement(name: string, value: XmlValue, lists: 'flattened' | 'member'): string {
  if (value === undefined) return '';
  if (lists === 'flattened' && isList(value))
    return value.map((item) => toXmlElement(name, item, lists)).join('');
  return `<${name}>${toXmlContent(value, lists)}</${name}>`;
}

function isList(value: XmlValue): value is readonly XmlValue[] {
  return Array.isArray(value);
}
