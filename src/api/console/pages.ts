/** A page of the console: its row here is all that frame, bar, palette and server need to know of it. */
interface ConsolePage {
  /** First part of its address behind `#`. */
  readonly name: string;
  /** Its link in the bar. */
  readonly bar?: string;
  /** The page of the bar that it belongs to. */
  readonly of?: string;
  /** Its entry in the palette. A page of one thing, such as a run, is found by the thing. */
  readonly palette?: string;
}

/** The pages, in the order of the palette and the bar. */
export const CONSOLE_PAGES = [
  { name: 'drop', palette: 'Drop files' },
  { name: 'new', palette: 'New pipeline', of: 'pipelines' },
  { name: 'pipelines', palette: 'Pipelines', bar: 'Pipelines' },
  { name: 'pipeline', of: 'pipelines' },
  { name: 'runs', palette: 'Runs', bar: 'Runs' },
  { name: 'run', of: 'runs' },
  { name: 'compare', of: 'runs' },
  { name: 'try', palette: 'Try', bar: 'Try' },
  { name: 'endpoints', palette: 'Endpoints', bar: 'Endpoints' },
  { name: 'messages', palette: 'Messages', bar: 'Messages' },
] as const satisfies readonly ConsolePage[];

/** Name of a page. */
type PageName = (typeof CONSOLE_PAGES)[number]['name'];

/** Something that each page has. */
export type ByPage<T> = Readonly<Record<PageName, T>>;

/** The row of the page with this name, or undefined. */
export function findPage(name: string): (ConsolePage & { readonly name: PageName }) | undefined {
  return CONSOLE_PAGES.find((page) => page.name === name);
}
