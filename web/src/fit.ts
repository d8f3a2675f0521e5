// Tables that are wider than their place: each row becomes a small list, so that nothing is cut off.
import {h} from './dom';

const widths = new WeakMap<Element, number>(); // of the table as a table, since it was last measured
const observer = new ResizeObserver(entries => {
  for (const {target} of entries) fit(target as HTMLElement);
});

function fit(place: HTMLElement): void {
  const table = place.firstElementChild as HTMLTableElement | null;
  if (!table || place.clientWidth === 0) return;
  if (!table.classList.contains('stacked')) widths.set(place, table.scrollWidth);
  table.classList.toggle('stacked', (widths.get(place) ?? 0) > place.clientWidth + 1);
}

/** Cells say in data-label what their column is, for when it has no head. */
export function fitted(table: HTMLTableElement): HTMLElement {
  const place = h('div', {class: 'scroll'}, table);
  observer.observe(place);
  return place;
}
