import { listLetters } from '../../app/drop/dead-letters.ts';
import { connectLetters, printLetters } from '../dead-letters.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';

/** `inferdrop dead-letters list`: lists the messages that could not be delivered or handled, and why. */
export const command = defineCommand({
  about: 'Lists what could not be delivered or handled, why, and where it belongs. Nothing is removed.',
  examples: ['inferdrop dead-letters --stage prod'],
  page: 'docs/operate.md',
  options: { ...JSON_FORM, ...STAGE },
  async run({ options }, terminal) {
    printLetters(await listLetters(await connectLetters(options.stage)), options.json, terminal);
    return 0;
  },
});
