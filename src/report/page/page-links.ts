import { html, type Markup } from './markup.ts';

/**
 * A file of the run. It's a link if it lies next to the page (`linkPage`); with a signed link only to the page, or in the console,
 * there's no address for it.
 */
export function fileLink(name: string): Markup {
  return html`<a data-file="${name}">${name}</a>`;
}

/** Another run, which is a link if its page lies next to this one (`linkPage`). */
export function runLink(run: string): Markup {
  return html`<a data-run="${run}">${run}</a>`;
}

const MARKED = / data-(file|run)="([^"]*)"/g;

/** Files and pages next to a saved page. */
export interface BesideThePage {
  readonly files: readonly string[];
  /** Addresses of the pages of other runs. */
  readonly runs: ReadonlyMap<string, string>;
}

/** The page with links to the files next to it. Users' names can't be taken for marks, since their quotes are escaped. */
export function linkPage(page: string, { files, runs }: BesideThePage): string {
  const escaped = (text: string): string => html`${text}`.markup;
  const addresses = {
    file: new Map(files.map((name) => [escaped(name), name])),
    run: new Map([...runs].map(([run, address]) => [escaped(run), address])),
  };
  return page.replaceAll(MARKED, (mark, kind: 'file' | 'run', name: string) => {
    const address = addresses[kind].get(name);
    return address === undefined ? mark : `${mark} href="${escaped(address)}"`;
  });
}
