// A part of the page: a heading that can be linked to, and what stands under it.
import {h, type Child} from '../dom';
import {at} from '../data';

export interface Part {
  id: string;
  title: string;
  element: HTMLElement;
  links?: [id: string, title: string][]; // what can be found in it
}

/** A section of the page itself. */
export function part(id: string, title: string, intro: string, ...content: Child[]): Part {
  const element = h(
    'section',
    {id, 'aria-labelledby': `${id}-title`, class: 'part'},
    h('h2', {id: `${id}-title`}, title),
    intro !== '' && h('p', {class: 'intro'}, intro),
    content,
  );
  return {id, title, element};
}

/** A section about one run. */
export function runPart(
  run: string,
  id: string,
  title: string,
  intro: string,
  ...content: Child[]
): Part {
  const full = `${run}-${id}`;
  const element = h(
    'section',
    {id: full, 'aria-labelledby': `${full}-title`, class: 'run-part'},
    h('h3', {id: `${full}-title`}, title),
    intro !== '' && h('p', {class: 'intro'}, intro),
    content,
  );
  return {id: full, title, element};
}

/** A number of the document as text, marked with where it stands there. */
export function figure(root: unknown, path: string, text: (value: number) => string): HTMLElement {
  const value = at(root, path);
  return typeof value === 'number'
    ? h('data', {value, 'data-path': path}, text(value))
    : h('span', {}, '–');
}
