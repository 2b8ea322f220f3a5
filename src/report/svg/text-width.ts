/** Upper bound of the width of text in common sans-serif fonts, in em. East Asian characters take one em. */
export function textWidthEm(text: string): number {
  let width = 0;
  for (const character of text) {
    if (
      /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]|[\u{1f000}-\u{3ffff}]/u.test(
        character,
      )
    )
      width += 1.05;
    else if (/[mwMW@%]/.test(character)) width += 0.9;
    else if (/[iljtfrI.,;:'|!()[\] -]/.test(character)) width += 0.36;
    else if (/[A-Z]/.test(character)) width += 0.7;
    else width += 0.58;
  }
  return width;
}

/** Text cut to a width, with an ellipsis. */
export function shortened(text: string, widthEm: number): string {
  if (textWidthEm(text) <= widthEm) return text;
  let kept = '';
  for (const character of text) {
    if (textWidthEm(`${kept}${character}…`) > widthEm) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
