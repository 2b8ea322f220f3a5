import type { Place } from '../../src/api/console/place.ts';
import type { Child } from './view/view.ts';

/** A page that is open. */
export interface Page {
  /** Words for the window's title. */
  title(): string;
  view(): Child;
  /** Stops everything that the page watches. */
  close?(): void;
}

/** The frame around a page, as the page uses it. */
export interface Frame {
  readonly place: Place;
  /** Tells the banner above the page why the stack doesn't answer; undefined once it does. */
  lost(detail: string | undefined, retryMs?: number): void;
  /** Draws the page soon. */
  redraw(): void;
  /** Says something to a screen reader, politely. */
  say(text: string): void;
  /** Asks before something that costs or cannot be undone. */
  confirm(question: Question): void;
}

/** A question with two verbs; the safe one has the focus. */
export interface Question {
  readonly title: string;
  readonly text: string;
  readonly go: string;
  /** Verb that changes nothing; "Not now" if it is left out. */
  readonly keep?: string;
  readonly isDanger?: true;
  /** Text that must be typed before it can be answered. */
  readonly typed?: string;
  readonly act: () => void;
}

/** Opens a page at the rest of its address. */
export type OpenPage = (parts: readonly string[], frame: Frame) => Page;
