import fc from 'fast-check';
import { expect, test } from 'vitest';
import { xmlEvents } from '../../../src/review/xml-events.ts';
import { fitsXml, xmlText } from '../../../src/review/xml-text.ts';

const read = (document: string) => [...xmlEvents(document)];

test('elements, attributes, text and comments are read', () => {
  const document = `<?xml version="1.0"?>\n<!-- one --><a x='1' y="&lt;&#65;&#x42;">t &amp; u<b/></a>\n`;
  expect(read(document)).toEqual([
    {
      type: 'open',
      name: 'a',
      attributes: new Map([
        ['x', '1'],
        ['y', '<AB'],
      ]),
    },
    { type: 'text', text: 't & u' },
    { type: 'open', name: 'b', attributes: new Map() },
    { type: 'close', name: 'b' },
    { type: 'close', name: 'a' },
  ]);
});

const BOMB = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>`;
test.each([
  ['a bomb of entities', BOMB, 'a document type'],
  [
    'a file behind an entity',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    'a document type',
  ],
  ['an entity of nobody', '<a>&x;</a>', '&x; is no character reference'],
  ['a reference without its end', '<a>&amp</a>', '&amp is no character reference'],
  ['a character beyond Unicode', '<a>&#x110000;</a>', '&#x110000; is no character reference'],
  ['a CDATA section', '<a><![CDATA[x]]></a>', 'a CDATA section'],
  ['a style sheet', '<?xml version="1.0"?><?xml-stylesheet href="x"?><a/>', 'a processing instruction'],
  ['elements that overlap', '<a><b></a></b>', '</a> closes another element'],
  ['an element without its end', '<a>\n<b></b>', '<a> does not end'],
  ['half an element', '<a b="', 'an element cannot be read'],
  ['an attribute twice', '<a b="1" b="2"/>', 'the attribute b stands twice'],
  ['text alone', 'x', 'text stands outside'],
  ['deep nesting', '<a>'.repeat(33), 'more than 32 elements'],
  ['a name of an object of JavaScript', '<a>&constructor;</a>', '&constructor; is no character'],
])('%s is refused with its line', (_what, document, message) => {
  expect(() => read(document)).toThrow(message);
  expect(() => read(document)).toThrow(/^line \d+: /);
});

test('a long document without an end is refused in linear time', () => {
  for (const piece of ['<a ', '<a x="1" ', '&', '<!--', ' '])
    expect(() => read(`<a>${piece.repeat(100_000)}<`)).toThrow(/^line 1: /);
});

test('every text that fits comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }).filter(fitsXml), (text) => {
      const [open] = read(`<a b="${xmlText(text)}"/>`);
      expect(open).toEqual({ type: 'open', name: 'a', attributes: new Map([['b', text]]) });
    }),
  );
});
