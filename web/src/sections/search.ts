// A list that is searched as one types.
import {h, uniqueId} from '../dom';

/** `show` draws what is kept; `text` is what is searched. */
export function searchable<T>(
  items: T[],
  text: (item: T) => string,
  show: (kept: T[]) => HTMLElement,
): HTMLElement {
  const texts = items.map(item => text(item).toLowerCase());
  const id = uniqueId('search');
  const told = h('p', {class: 'note', role: 'status'});
  const slot = h('div', {});
  const update = () => {
    const wanted = search.value.toLowerCase();
    const kept = items.filter((_item, i) => texts[i]!.includes(wanted));
    told.textContent = `${kept.length} of ${items.length} are shown.`;
    slot.replaceChildren(show(kept));
  };
  const search = h('input', {id, type: 'search', oninput: update});
  update();
  return h(
    'div',
    {},
    h(
      'div',
      {class: 'controls control'},
      h('label', {class: 'field', for: id}, h('span', {}, 'Search'), search),
    ),
    told,
    slot,
  );
}
