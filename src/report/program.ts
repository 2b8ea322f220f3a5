import manifest from '../../package.json' with { type: 'json' };

/** Name and version of this program in reports and receipts. */
export const PROGRAM = `inferdrop ${manifest.version}`;
