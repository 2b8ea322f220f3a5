/** The text with at most `most` characters; one that is cut ends with a mark that says how many it had. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const mark = `… (cut, ${text.length} characters in all)`;
  return text.slice(0, most - mark.length) + mark;
}
