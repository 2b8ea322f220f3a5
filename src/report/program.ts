import manifest from '../../package.json' with { type: 'json' };

/** Name and version of this program, as reports and receipts tell them. */
export const PROGRAM = `inferdrop ${manifest.version}`;
