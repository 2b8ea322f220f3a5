/** A handler of an event. */
type Handler = (event: Event) => void;

/** Attributes of an element; `false`, `null` and `undefined` leave one out. */
export interface Props {
  /** Tells an element of a list from its neighbours, so that it is moved and not redrawn. */
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

/** Describes an element. */
export function h(tag: string, props: Props | null, ...children: readonly Child[]): View {
  return { tag, props: props ?? {}, children: flat(children) };
}

function flat(children: readonly Child[]): (View | string)[] {
  return children.flatMap((child): (View | string)[] => {
    if (child === false || child === null || child === undefined) return [];
    if (typeof child === 'number') return [String(child)];
    if (typeof child === 'string') return [child];
    return isList(child) ? flat(child) : [child];
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
  const keyed = new Map<string, Element>();
  for (const node of parent.children) {
    const key = drawn.get(node)?.props.key;
    if (key !== undefined) keyed.set(key, node);
  }
  let at: ChildNode | null = parent.firstChild;
  for (const child of children) {
    const found = typeof child === 'string' ? at : (keyed.get(child.props.key ?? '') ?? at);
    const node = fitting(found, child) ?? make(parent, child);
    if (typeof child === 'string') {
      if (node.nodeValue !== child) node.nodeValue = child;
    } else if (node instanceof Element) update(node, child);
    if (node === at) at = node.nextSibling;
    else parent.insertBefore(node, at);
  }
  while (at !== null) {
    const { nextSibling } = at;
    at.remove();
    at = nextSibling;
  }
}

/** The node, if it can be changed into what the child should be. */
function fitting(node: ChildNode | null, child: View | string): ChildNode | undefined {
  if (node === null) return undefined;
  if (typeof child === 'string') return node instanceof Text ? node : undefined;
  const before = node instanceof Element ? drawn.get(node) : undefined;
  return before?.tag === child.tag && before.props.key === child.props.key ? node : undefined;
}

const SVG = 'http://www.w3.org/2000/svg';

function make(parent: Element, child: View | string): ChildNode {
  if (typeof child === 'string') return document.createTextNode(child);
  const isSvg = child.tag === 'svg' || parent.namespaceURI === SVG;
  const element = isSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  drawn.set(element, {
    tag: child.tag,
    props: { ...(child.props.key !== undefined && { key: child.props.key }) },
    children: [],
  });
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
