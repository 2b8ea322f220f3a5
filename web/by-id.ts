/** The element with an id. @throws {Error} if the page has no such element */
export function byId<E extends Element>(id: string, kind: new () => E): E {
  const element = findById(id, kind);
  if (element === undefined) throw new Error(`The page must have a ${kind.name} with the id ${id}`);
  return element;
}

/** The element with an id, if the page has one of this kind. */
export function findById<E extends Element>(id: string, kind: new () => E): E | undefined {
  const element = document.getElementById(id);
  return element instanceof kind ? element : undefined;
}
