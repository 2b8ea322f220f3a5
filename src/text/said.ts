/** The texts that apply, in order: `said(count > 0 && 'some are late')`; one that is false, null or undefined doesn't. */
export function said(...texts: readonly (string | false | null | undefined)[]): string[] {
  return texts.filter((text) => typeof text === 'string');
}
