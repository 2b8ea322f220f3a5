import { cutText } from './cut-text.ts';

/** Cap on a refusal in a message that a person reads; containers may answer megabytes. */
const MAX_CHARACTERS = 2_000;

/** Title of a page such as nginx's `<title>502 Bad Gateway</title>`, without the status. */
const PAGE_TITLE = /<title>(?:\d{3} )?([^<]*)<\/title>/i;

/** A container's refusal as words of a sentence that has its status: of a page, which nginx makes of it, its title. A long one is cut. */
export function toAnswerText(said: string): string {
  return cutText((PAGE_TITLE.exec(said)?.[1] ?? said).trim(), MAX_CHARACTERS);
}
