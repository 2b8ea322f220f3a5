/** Titles of columns of labels, in lower case. */
export const LABELS = new Set(['label', 'class', 'class_name', 'truth', 'target', 'category', 'y']);

/** Whether a title is one that columns of labels have. */
export function isLabelTitle(title: string): boolean {
  return LABELS.has(title.trim().toLowerCase());
}
