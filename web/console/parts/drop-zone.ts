import { h, type View } from '../view/view.ts';

interface Zone {
  readonly title: string;
  readonly note: string;
  readonly folders: boolean;
  /** Whether a folder is what people mostly choose; true where it is not said. */
  readonly folderFirst?: boolean;
  readonly multiple: boolean;
  readonly chosen: (files: readonly File[]) => void;
}

/** The path of a file below the folder that was chosen or dropped. */
const paths = new WeakMap<File, string>();

/** Path of a file below what was chosen: of a folder, without the folder's own name. */
export function pathOf(file: File): string {
  const path = paths.get(file) ?? file.webkitRelativePath;
  return path === '' ? file.name : path.split('/').slice(1).join('/');
}

/** A place for files: they are dropped on it, or chosen by its buttons. */
export function dropZone({ title, note, folders, folderFirst = true, multiple, chosen }: Zone): View {
  const over =
    (isOver: boolean) =>
    (event: Event): void => {
      event.preventDefault();
      if (event.currentTarget instanceof Element) event.currentTarget.classList.toggle('over', isOver);
    };
  const picker = (folder: boolean, words: string, isFirst: boolean): View =>
    h(
      'label',
      { class: isFirst ? 'button primary pick' : 'button pick' },
      words,
      h('input.sr', {
        type: 'file',
        multiple: multiple || folder,
        webkitdirectory: folder,
        on: {
          change: ({ target }) => {
            if (!(target instanceof HTMLInputElement)) return;
            chosen([...(target.files ?? [])]);
            target.value = '';
          },
        },
      }),
    );
  return h(
    'div.zone',
    {
      on: {
        dragover: over(true),
        dragleave: over(false),
        drop: (event) => {
          over(false)(event);
          if (event instanceof DragEvent) void readDropped(event).then(chosen);
        },
      },
    },
    h('p.big', title),
    h('p.muted', note),
    h(
      'div.actions',
      folders && folderFirst && picker(true, 'Choose a folder', true),
      picker(false, multiple ? 'Choose files' : 'Choose a file', !folders || !folderFirst),
      folders && !folderFirst && picker(true, 'Choose a folder', false),
    ),
  );
}

/** All dropped files, and folders with everything below them. */
async function readDropped(event: DragEvent): Promise<readonly File[]> {
  const entries = [...(event.dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return (await Promise.all(entries.map(readEntry))).flat();
}

async function readEntry(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    const path = entry.fullPath.slice(1);
    if (path.includes('/')) paths.set(file, path);
    return [file];
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return [];
  const reader = entry.createReader();
  const found: FileSystemEntry[] = [];
  // A reader gives a hundred entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    found.push(...some);
  }
  return (await Promise.all(found.map(readEntry))).flat();
}
