/** A column's title as it's compared: after NFC, without the blanks around it. */
export function normalTitle(title: string): string {
  return title.normalize('NFC').trim();
}
