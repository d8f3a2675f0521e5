// Elements in one line each.

export type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<
  string,
  string | number | boolean | null | undefined | ((event: Event) => void)
>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
}

export function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/** h('p', {class: 'note'}, 'text'): an element; attributes that begin with "on" are listeners ("onclick"). */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** The same for SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

let ids = 0;
/** An id that nothing else on the page has. */
export function uniqueId(prefix: string): string {
  ids += 1;
  return `${prefix}-${ids}`;
}

let whenFilled: (element: Element) => void = () => undefined;
/** What happens to the content of details when it is made. */
export function onFilled(act: (element: Element) => void): void {
  whenFilled = act;
}

/** A details element whose content is made when it is opened first. What is folded is not printed. */
export function lazyDetails(summary: string, make: () => Child): HTMLDetailsElement {
  const details = h('details', {class: 'more'}, h('summary', {}, summary));
  let isMade = false;
  details.addEventListener('toggle', () => {
    if (!details.open || isMade) return;
    isMade = true;
    append(details, [make()]);
    whenFilled(details);
  });
  return details;
}

/** A row of buttons of which one is pressed: radio buttons, so that arrow keys work. */
export function choice(
  label: string,
  options: string[],
  picked: number,
  pick: (index: number) => void,
): HTMLElement {
  const name = uniqueId('choice');
  return h(
    'fieldset',
    {class: 'choice control'},
    h('legend', {}, label),
    options.map((option, index) =>
      h(
        'label',
        {},
        h('input', {
          type: 'radio',
          name,
          value: index,
          checked: index === picked,
          onchange: () => pick(index),
        }),
        h('span', {}, option),
      ),
    ),
  );
}

/** A labelled select. */
export function select(
  label: string,
  options: [string, string][],
  picked: string,
  pick: (value: string) => void,
): HTMLElement {
  const element = h(
    'select',
    {onchange: () => pick(element.value)},
    options.map(([value, text]) => h('option', {value, selected: value === picked}, text)),
  );
  return h('label', {class: 'field control'}, h('span', {}, label), element);
}
