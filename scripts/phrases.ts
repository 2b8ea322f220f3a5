/**
 * `npm run phrases`: phrases that native writers hardly use, counted against phrases.json, which `npm test` reads.
 *
 *     npm run phrases                   what occurs more often than allowed, with its places; exit code 1
 *     npm run phrases -- --list ROOM    each occurrence in a room, such as docs or "src/plan messages"
 *     npm run phrases -- --rates        occurrences in 10,000 words, by room
 *     npm run phrases -- --lower        keeps what has become fewer
 *     npm run phrases -- --raise "WHY"  allows today's counts; the reason is kept in phrases.json
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Allowed, readAllowed, rewriteAllowed } from './allowance.ts';
import { ROOT, trackedFiles } from './weigh.ts';

const FILE = path.join(ROOT, 'phrases.json');

/** Each phrase, and what to write instead. */
const PHRASES: Readonly<Record<string, readonly [pattern: RegExp, instead: string]>> = {
  'X alone': [/\b(?!leave|left|leaves|let|stand|stands)\w+ alone\b/gi, 'only X'],
  beside: [/\bbeside\b/gi, 'next to, along with, during'],
  whose: [/\bwhose\b/gi, 'a second sentence, or "with"'],
  'that of': [/\b(?:that|those) of\b/gi, 'the noun, or a possessive'],
  'bare what': [/\b(?:of|by|for|from|in|to|with|on|at) what\b/gi, 'name it'],
  ends: [/(?<!\bruns? )\bends\b/gi, 'stops, exits, finishes, returns; only runs end'],
  'where = if': [
    /(?:,|\(|\bonly|\balso|\beven|\bas|\bnull|\bundefined|\bempty|\babsent|\bnone) where\b/gi,
    'if, when',
  ],
  'is none': [/(?<!\bthere )\b(?:is|are|has|have) none\b/gi, 'there is no X'],
  'is asked': [/\b(?:is|are) asked\b/gi, 'the verb with its subject'],
  ', too': [/, too\b/gi, 'also, before the verb'],
  'in place of': [/\bin place of\b/gi, 'instead of'],
  'of which': [/\bof which\b/gi, 'a second sentence'],
  'British spelling': [
    /(?<!aria-)\b\w*(?:colour|behaviour|neighbour|labell(?:ed|ing)|judgement|cancell(?:ed|ing)(?!Error)|(?:recogn|normal|initial|summar|quant|synchron)is(?:e|ing|ation))\w*/gi,
    'color, labeled, canceled, recognize',
  ],
  'by itself': [/\bby (?:itself|themselves)\b/gi, 'alone, automatically, on its own'],
};

/** Occurrences in a text, each with a few words around it. */
interface Found {
  readonly phrase: string;
  readonly around: string;
}

/** Words of a room, and the places of its phrases. */
interface Room {
  words: number;
  readonly found: (Found & { readonly file: string })[];
}

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;
type Rooms = { readonly rooms: Counts };

const LEFT_OUT =
  /(?:^|\/)(?:test|fixtures|golden|node_modules)\/|CHANGELOG|docs\/schema\/|docs\/models\.md|-text\.ts$/;

/**
 * The texts that a file shows to people, by its room, which a package's laboratory shares with
 * all others: comments and pages, and apart from them sentences in quotes.
 */
export function textsOf(file: string, whole: string): readonly (readonly [room: string, text: string])[] {
  if (LEFT_OUT.test(file)) return [];
  const [room = '.'] =
    /^(?:src\/app\/[^/]+|src\/[^/]+|packages\/[^/]+|docs|lab|scripts|web|functions|action)(?=\/)/.exec(
      file.replace(/^packages\/[^/]+\/(?=lab\/)/, ''),
    ) ?? [];
  if (file.endsWith('.md')) return [[room, whole.replaceAll(/```[\s\S]*?```/g, '')]];
  if (!/\.(?:ts|mjs|cjs)$/.test(file)) return [];
  const comments = whole.match(COMMENT) ?? [];
  const quotes = whole.replaceAll(COMMENT, '').match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
  const sentences = quotes
    .map((text) => text.replaceAll(/\$\{[^}]*\}/g, 'X'))
    .filter((text) => /\w+ \w+ \w+/.test(text));
  return [
    [room, comments.join('\n').replaceAll(/^\s*\*+|\/\*+|\*\/|\/\//gm, ' ')],
    [`${room} messages`, sentences.join('\n')],
  ];
}

const COMMENT = /\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/** The phrases of a text. */
export function phrasesIn(text: string): Found[] {
  return Object.entries(PHRASES).flatMap(([phrase, [pattern]]) =>
    [...text.matchAll(pattern)].map(({ index }) => ({
      phrase,
      around: text.slice(Math.max(0, index - 50), index + 50).replaceAll(/\s+/g, ' '),
    })),
  );
}

/** Every room of a checkout. */
export function readRooms(root: string): ReadonlyMap<string, Room> {
  const rooms = new Map<string, Room>();
  for (const file of trackedFiles(root).filter((one) => /\.(?:ts|mjs|cjs|md)$/.test(one))) {
    for (const [name, text] of textsOf(file, readFileSync(path.join(root, file), 'utf8'))) {
      const room = rooms.get(name) ?? { words: 0, found: [] };
      rooms.set(name, room);
      room.words += text.split(/\s+/).filter((word) => /\w/.test(word)).length;
      room.found.push(...phrasesIn(text).map((one) => ({ ...one, file })));
    }
  }
  return rooms;
}

/** Counts of each room that has any, by phrase. */
export function countsOf(rooms: ReadonlyMap<string, Pick<Room, 'found'>>): Counts {
  const counted = [...rooms].map(([name, { found }]) => {
    const groups = Map.groupBy(found, ({ phrase }) => phrase);
    return [name, Object.fromEntries([...groups].map(([phrase, all]) => [phrase, all.length]))] as const;
  });
  return Object.fromEntries(
    counted.filter(([, counts]) => Object.keys(counts).length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Sentences about each phrase that a room has more often than it may. */
export function moreOften(now: Counts, allowed: Counts): string[] {
  return Object.entries(now).flatMap(([room, counts]) =>
    Object.entries(counts).flatMap(([phrase, count]) => {
      const bound = allowed[room]?.[phrase] ?? 0;
      const instead = PHRASES[phrase]?.[1] ?? '';
      return count > bound
        ? [`${room}: "${phrase}" ${count} times, allowed are ${bound}; write: ${instead}`]
        : [];
    }),
  );
}

/** The committed allowance. */
export function readAllowance(): Allowed<Rooms> {
  return readAllowed(FILE);
}

function lowered({ rooms: now }: Rooms, { rooms: allowed }: Rooms): Rooms {
  const least = Object.entries(now).map(([room, counts]) => {
    const bounded = Object.entries(counts).map(([phrase, count]) => [
      phrase,
      Math.min(count, allowed[room]?.[phrase] ?? 0),
    ]);
    return [room, Object.fromEntries(bounded.filter(([, count]) => count !== 0))];
  });
  return { rooms: Object.fromEntries(least) };
}

function main(args: readonly string[]): number {
  const [mode, room = ''] = args;
  const rooms = readRooms(ROOT);
  const counts = countsOf(rooms);
  const print = (line: string): boolean => process.stdout.write(`${line}\n`);
  switch (mode) {
    case '--list':
      for (const { file, phrase, around } of rooms.get(room)?.found ?? [])
        print(`${file}: ${phrase}: …${around}…`);
      return 0;
    case '--rates':
      for (const [name, { words: all, found }] of [...rooms].toSorted(([, a], [, b]) => b.words - a.words))
        print(
          `${String(Math.round((found.length * 10_000) / all)).padStart(5)} in 10,000 of ${all} words: ${name}`,
        );
      return 0;
    default:
  }
  const example = 'npm run phrases -- --raise "why no other words fit"';
  const code = rewriteAllowed(args, FILE, { rooms: counts }, lowered, example);
  if (code !== undefined) return code;
  const found = moreOften(counts, readAllowance().rooms);
  for (const sentence of found) print(sentence);
  return found.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
