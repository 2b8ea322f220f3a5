import { Condition } from '../problem/conditions.ts';

/** A part of an XML document, in the order of the document. */
export type XmlEvent =
  | { readonly type: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly type: 'close'; readonly name: string }
  | { readonly type: 'text'; readonly text: string };

/** An XML document that is not of the strict form below. */
export class XmlUnreadable extends Condition {
  constructor(message: string) {
    super('XmlUnreadable', message);
  }
}

const MAX_DEPTH = 32;
const NAME = String.raw`[A-Za-z_][\w.-]{0,127}`;
const TAG = new RegExp(String.raw`<(/?)(${NAME})((?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>`, 'y');
const ATTRIBUTE = new RegExp(String.raw`\s+(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`, 'gy');
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads a document of elements, attributes and text, which is all that annotations need. A document type, and with it every entity that
 * could expand or read a file, is refused, as are CDATA sections and processing instructions but the first line.
 *
 * @throws {XmlUnreadable} with the line
 */
export function* xmlEvents(document: string): Generator<XmlEvent> {
  const open: string[] = [];
  let at = document.startsWith('\ufeff') ? 1 : 0;
  const fail = (why: string): XmlUnreadable =>
    new XmlUnreadable(`line ${document.slice(0, at).split('\n').length}: ${why}`);
  if (document.startsWith('<?xml', at)) {
    const end = document.indexOf('?>', at);
    if (end < 0) throw fail('the XML declaration does not end');
    at = end + 2;
  }
  while (at < document.length) {
    const next = document.indexOf('<', at);
    const text = document.slice(at, next < 0 ? undefined : next);
    if (text.trim() !== '') {
      if (open.length === 0) throw fail('text stands outside the elements');
      yield { type: 'text', text: decoded(text, fail) };
    }
    if (next < 0) break;
    at = next;
    if (document.startsWith('<!--', at)) {
      const end = document.indexOf('-->', at + 4);
      if (end < 0) throw fail('a comment does not end');
      at = end + 3;
      continue;
    }
    if (document.startsWith('<!', at) || document.startsWith('<?', at))
      throw fail('a document type, an entity, a CDATA section or a processing instruction is not read');
    TAG.lastIndex = at;
    const tag = TAG.exec(document);
    if (tag === null) throw fail('an element cannot be read');
    const [whole, isEnd, name = '', attributes = '', isEmpty] = tag;
    if (isEnd === '/') {
      if (open.pop() !== name) throw fail(`</${name}> closes another element`);
      yield { type: 'close', name };
    } else {
      if (open.push(name) > MAX_DEPTH) throw fail(`more than ${MAX_DEPTH} elements lie within each other`);
      yield { type: 'open', name, attributes: attributesOf(attributes, fail) };
      if (isEmpty === '/') {
        open.pop();
        yield { type: 'close', name };
      }
    }
    at += whole.length;
  }
  if (open.length > 0) throw fail(`<${open.at(-1)}> does not end`);
}

function attributesOf(text: string, fail: (why: string) => XmlUnreadable): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    if (found.has(name)) throw fail(`the attribute ${name} stands twice`);
    found.set(name, decoded(double ?? single ?? '', fail));
  }
  return found;
}

function decoded(text: string, fail: (why: string) => XmlUnreadable): string {
  return text.replace(/&([^;&\s]{0,12};?)/g, (reference, body: string) => {
    const name = body.endsWith(';') ? body.slice(0, -1) : '';
    const digits = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
    const code =
      digits === null
        ? undefined
        : Number.parseInt(digits[1] ?? digits[2] ?? '', digits[1] === undefined ? 10 : 16);
    const character =
      code === undefined
        ? Object.hasOwn(NAMED, name)
          ? NAMED[name]
          : undefined
        : code > 0 && code <= 0x10ffff
          ? String.fromCodePoint(code)
          : undefined;
    if (character === undefined) throw fail(`${reference} is no character reference that is read`);
    return character;
  });
}
