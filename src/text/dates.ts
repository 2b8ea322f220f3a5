import { duration } from './figures.ts';

/** A moment as its reader has it: a date, or its ISO 8601 text in UTC. */
type Moment = Date | string;

/** The day in UTC: `2026-11-30`. */
export function day(at: Moment): string {
  return iso(at).slice(0, 10);
}

/** `14:05:09`, for places that say UTC nearby; with milliseconds for lines of a log. */
export function time(at: Moment, withMilliseconds = false): string {
  return iso(at).slice(11, withMilliseconds ? 23 : 19);
}

/** `2026-11-30 14:05:09`, for a column with UTC in its title. */
export function utc(at: Moment): string {
  return `${day(at)} ${time(at)}`;
}

/** `2026-11-30 14:05:09 UTC`. */
export function moment(at: Moment): string {
  return `${utc(at)} UTC`;
}

/** `20:54 UTC`, with its day unless that is today. */
export function clock(at: Moment, nowMs: number): string {
  const text = `${iso(at).slice(11, 16)} UTC`;
  return day(at) === day(new Date(nowMs)) ? text : `${day(at)} ${text}`;
}

/** A moment in a few words: `just now`, `5 min ago`, and from a day on its day. */
export function ago(at: Moment, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso(at))) / 1000);
  if (seconds < 10) return 'just now';
  if (seconds < 60) return `${Math.round(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h ago` : day(at);
}

/** The time until a moment, in whole minutes: `7 h 51 min`. */
export function left(at: Moment, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((Date.parse(iso(at)) - nowMs) / 60_000));
  return minutes === 0 ? '0 min' : duration(60 * minutes);
}

function iso(at: Moment): string {
  return typeof at === 'string' ? at : at.toISOString();
}
