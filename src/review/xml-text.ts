/** Control characters, of which XML 1.0 allows few (W3C, XML 1.0, "Characters"), and halves of characters. */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Cs}/u;

/** Whether a text can stand in an XML document. */
export function fitsXml(text: string): boolean {
  return !FORBIDDEN.test(text);
}

/** A text as the content of an element, or as the value of an attribute, where white space is kept. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
