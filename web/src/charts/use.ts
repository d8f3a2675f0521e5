// How much of its capacity something uses, as a colour: the same share has the same colour on every page.
import {h} from '../dom';

const FROM = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75]; // where each class begins
const NAMES = ['below 1 %', '1–5 %', '5–10 %', '10–25 %', '25–50 %', '50–75 %', 'above 75 %'];

export function useClass(share: number): number {
  return FROM.findLastIndex(from => share >= from);
}
export const useColor = (share: number): string => `var(--use-${Math.max(0, useClass(share))})`;

/** The classes with their colours, for the head of a chart. */
export function useScale(): HTMLElement {
  return h(
    'ul',
    {class: 'legend use-scale', 'aria-label': 'Colours: share of capacity'},
    NAMES.map((name, k) =>
      h('li', {}, h('span', {class: 'swatch', style: `--swatch:var(--use-${k})`}), name),
    ),
    h('li', {class: 'muted'}, 'of capacity'),
  );
}
