type Handler = (event: Event) => void;

/** Attributes of an element; `false`, `null` and `undefined` leave one out. */
export interface Props {
  /** Tells an element of a list from its neighbors, so that it is moved and not redrawn. */
  readonly key?: string;
  readonly on?: Readonly<Record<string, Handler>>;
  /** Custom properties of its style: the pages' policy forbids style attributes, not the object model. */
  readonly css?: Readonly<Record<string, string>>;
  /** Called once with the element when it has been made. */
  readonly made?: (element: Element) => void;
  readonly [attribute: string]: unknown;
}

/** An element as it should be. */
export interface View {
  readonly tag: string;
  readonly props: Props;
  readonly children: readonly (View | string)[];
}

/** Content of an element. Text becomes a text node, whatever it holds. */
export type Child = View | string | number | false | null | undefined | readonly Child[];

/**
 * Describes an element by its name with its id and classes, its other attributes if it has any, and its content.
 *
 * @example h('p.small.muted', { title: moment(at) }, ago(at, nowMs))
 */
export function h(element: string, first?: Props | Child, ...children: readonly Child[]): View {
  const [name = '', ...classes] = element.split('.');
  const [tag = '', id] = name.split('#');
  const props = {
    ...(id !== undefined && { id }),
    ...(classes.length > 0 && { class: classes.join(' ') }),
    ...(isProps(first) && first),
  };
  return { tag, props, children: flat(isProps(first) ? children : [first, ...children]) };
}

function isProps(first: Props | Child): first is Props {
  return typeof first === 'object' && first !== null && !Array.isArray(first) && !('tag' in first);
}

/** The children in a row. One without a key has its place as its key, so that another that comes or goes before it does not change it. */
function flat(children: readonly Child[], place = 'at'): (View | string)[] {
  return children.flatMap((child, index): (View | string)[] => {
    if (child === false || child === null || child === undefined) return [];
    if (typeof child === 'number') return [String(child)];
    if (typeof child === 'string') return [child];
    const own = `${place} ${index}`;
    if (isList(child)) return flat(child, own);
    return [child.props.key === undefined ? { ...child, props: { ...child.props, key: own } } : child];
  });
}

function isList(child: View | readonly Child[]): child is readonly Child[] {
  return Array.isArray(child);
}

/** How each element was drawn last, and the handlers of its events. */
const drawn = new WeakMap<Element, View>();
const handlers = new WeakMap<Element, Map<string, Handler>>();

/** Changes an element's content into what it should be, and keeps every node that still fits: focus, scrolling and opened details stay. */
export function draw(element: Element, ...children: readonly Child[]): void {
  drawChildren(element, flat(children));
}

function drawChildren(parent: Element, children: readonly (View | string)[]): void {
  const wanted = new Set(children.map((child) => (typeof child === 'string' ? undefined : child.props.key)));
  const kept = new Map<string, Element>();
  // What goes is taken out first, so that what stays need not be moved: a frame that is moved loads again.
  for (const node of [...parent.children]) {
    const key = drawn.get(node)?.props.key;
    if (key !== undefined && wanted.has(key)) kept.set(key, node);
    else node.remove();
  }
  let at: ChildNode | null = parent.firstChild;
  const drop = (): void => {
    const next: ChildNode | null = at?.nextSibling ?? null;
    at?.remove();
    at = next;
  };
  for (const child of children) {
    if (typeof child === 'string') {
      if (at instanceof Text) {
        if (at.nodeValue !== child) at.nodeValue = child;
        at = at.nextSibling;
      } else parent.insertBefore(document.createTextNode(child), at);
      continue;
    }
    const key = child.props.key ?? '';
    const found = kept.get(key);
    kept.delete(key);
    while (found !== undefined && at instanceof Text) drop();
    const isSame = found !== undefined && drawn.get(found)?.tag === child.tag;
    if (found === at && at !== null) at = at.nextSibling;
    if (found !== undefined && !isSame) found.remove();
    const node = isSame ? found : make(parent, child);
    if (isSame) update(node, child);
    if (node.nextSibling !== at || node.parentNode !== parent) parent.insertBefore(node, at);
  }
  while (at !== null) drop();
}

const SVG = 'http://www.w3.org/2000/svg';

function make(parent: Element, child: View): Element {
  const isSvg = child.tag === 'svg' || parent.namespaceURI === SVG;
  const element = isSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  update(element, child);
  child.props.made?.(element);
  return element;
}

function update(element: Element, view: View): void {
  const before = drawn.get(element)?.props ?? {};
  const { props } = view;
  for (const name of Object.keys({ ...before, ...props }))
    if (!OWN.has(name) && before[name] !== props[name]) setAttribute(element, name, props[name]);
  for (const [name, value] of Object.entries(props.css ?? {}))
    if (before.css?.[name] !== value && (element instanceof HTMLElement || element instanceof SVGElement))
      element.style.setProperty(name, value);
  listen(element, props.on ?? {});
  drawn.set(element, view);
  drawChildren(element, view.children);
  fill(element, props['value']);
}

/** Sets what stands in a field; of a choice once its options are there, of text unless the person is writing there. */
function fill(element: Element, value: unknown): void {
  if (typeof value !== 'string' || !isField(element) || element.value === value) return;
  if (element instanceof HTMLSelectElement || element !== document.activeElement) element.value = value;
}

function isField(element: Element): element is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

const OWN = new Set(['key', 'on', 'css', 'made']);

function setAttribute(element: Element, name: string, value: unknown): void {
  if (name === 'value' && isField(element)) return;
  if (name === 'checked' && element instanceof HTMLInputElement) {
    element.checked = value === true;
    return;
  }
  if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

function listen(element: Element, on: Readonly<Record<string, Handler>>): void {
  const names = Object.keys(on);
  let known = handlers.get(element);
  if (known === undefined) {
    if (names.length === 0) return;
    handlers.set(element, (known = new Map()));
  }
  for (const name of known.keys()) if (!(name in on)) known.delete(name);
  for (const [name, handler] of Object.entries(on)) {
    if (!known.has(name)) element.addEventListener(name, dispatch);
    known.set(name, handler);
  }
}

/** One listener an element and event, which finds the handler of the last drawing. */
function dispatch(event: Event): void {
  if (event.currentTarget instanceof Element) handlers.get(event.currentTarget)?.get(event.type)?.(event);
}
