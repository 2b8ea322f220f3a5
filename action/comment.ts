import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { upsertComment } from './upsert-comment.ts';

/** The step of action.yml that comments. The summary of the job has the same text, and the reason where no comment could be made. */
const read = (name: string): string => process.env[name] ?? '';

const body = await readFile(read('COMMENT'), 'utf8');
await appendFile(read('GITHUB_STEP_SUMMARY'), body);
const pull = Number(read('PULL'));
if (read('TOKEN') !== '' && Number.isInteger(pull) && pull > 0) {
  const place = {
    apiUrl: read('GITHUB_API_URL'),
    repository: read('GITHUB_REPOSITORY'),
    pull,
    token: read('TOKEN'),
    author: read('AUTHOR'),
  };
  const marker = `inferdrop:${read('PIPELINE')}`;
  const ended = await upsertComment(
    place,
    { marker, body },
    { wait: (ms) => sleep(ms), now: () => Date.now() },
  );
  if (ended.outcome === 'not-commented') {
    const reason = `No comment on the pull request: ${ended.reason}`;
    await appendFile(read('GITHUB_STEP_SUMMARY'), `\n${reason}\n`);
    process.stdout.write(
      `::notice::${reason.replace(/[%\r\n]/g, (character) => encodeURIComponent(character))}\n`,
    );
  } else process.stdout.write(`comment ${ended.outcome}\n`);
}
