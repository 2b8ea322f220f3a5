import { sendLetters } from '../../app/drop/dead-letters.ts';
import { connectLetters, printLetters } from '../dead-letters.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';

/** `inferdrop dead-letters send`: sends every message of the queue to where it belongs. */
export const command = defineCommand({
  about:
    'Sends each dead letter again to the queue or function where it belongs, and then deletes it; what belongs nowhere stays.',
  exitCodes: { 0: 'each was sent', 1: 'one stayed, or could not be sent' },
  examples: ['inferdrop dead-letters send --stage prod'],
  page: 'docs/operate.md',
  options: { ...JSON_FORM, ...STAGE },
  async run({ options }, terminal) {
    const letters = await sendLetters(await connectLetters(options.stage));
    printLetters(letters, options.json, terminal);
    return letters.some(({ outcome }) => outcome === 'kept') ? 1 : 0;
  },
});
