import { type Child, h, type View } from '../view/view.ts';

/** A figure with its name above and a note below. */
export function fact(name: string, value: Child, note = ''): View {
  return h('div', { key: name }, h('dt', name), h('dd', value, note !== '' && h('small', note)));
}
