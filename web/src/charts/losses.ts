// The fabric tier by tier, every element in the colour of what losing it costs: boxes are switches, strokes are links.
import type {ElementClass, FaultCase, Faults} from '../data';
import {h, type Child} from '../dom';
import {count, percent, seconds} from '../format';
import {hideTip, showTip, showTipAt} from './tip';

const FROM = [-Infinity, 0.001, 0.01, 0.05, 0.2, 0.5]; // where each class of slowdown begins
const NAMES = ['nothing (below 0.1 %)', '0.1–1 %', '1–5 %', '5–20 %', '20–50 %', 'above 50 %'];
const COLORS = [0, 1, 2, 3, 4, 6].map(k => `var(--load-${k})`); // darker, or in the dark lighter, is dearer
const MOST = 128; // symbols in a row; of more, one stands for several

/** What losing one costs, as a class: the last one stops the job. */
export function lossClass(fault: FaultCase): number {
  return fault.stops ? NAMES.length : FROM.findLastIndex(from => fault.slowdown >= from);
}

/** "slows the job by 1.2 %", "stops the job, 64 ranks are cut off". */
export function lossText(fault: FaultCase): string {
  if (!fault.stops) {
    const cost = percent(Math.max(0, fault.slowdown));
    return lossClass(fault) === 0 ? 'costs nothing' : `slows the job by ${cost}`;
  }
  const ranks = fault.isolated_ranks ?? 0;
  return ranks === 0
    ? 'stops the job'
    : `stops the job: ${count(ranks)} ${ranks === 1 ? 'rank is' : 'ranks are'} cut off`;
}

/** All that is known about losing one of a class. */
function tipText(element: ElementClass, fault: FaultCase): string {
  const parts = [`${element.what}, ${count(element.count)} of them: losing one ${lossText(fault)}`];
  if (!fault.stops)
    parts.push(`${seconds(fault.time_s)} on average, ${seconds(fault.most_s)} at worst`);
  parts.push(`worst of those tried: ${fault.example}`, fault.command);
  return parts.join('; ');
}

function symbol(element: ElementClass, kind: number): HTMLElement {
  const shape = element.is_link ? 'link' : 'switch';
  const stops = kind === NAMES.length;
  return h('i', {
    class: `${shape}${stops ? ' stops' : ''}`,
    style: stops ? null : `--cost:${COLORS[kind]!}`,
  });
}

function row(element: ElementClass, fault: FaultCase, isWorst: boolean): HTMLElement {
  const each = Math.ceil(element.count / MOST);
  const kind = lossClass(fault);
  const text = tipText(element, fault);
  const symbols = h(
    'div',
    {class: 'symbols', role: 'img', tabindex: 0, 'aria-label': text, 'data-cost': kind},
    Array.from({length: Math.ceil(element.count / each)}, () => symbol(element, kind)),
  );
  symbols.addEventListener('mousemove', event => showTip(event.clientX, event.clientY, text));
  symbols.addEventListener('mouseleave', hideTip);
  symbols.addEventListener('focus', () => showTipAt(symbols, text));
  symbols.addEventListener('blur', hideTip);
  return h(
    'li',
    {class: isWorst ? 'worst' : null, 'data-what': element.what},
    h(
      'div',
      {class: 'tier-name'},
      h('b', {}, element.what),
      h(
        'small',
        {},
        count(element.count),
        each > 1 && `, a symbol stands for ${count(each)}`,
        isWorst && ' – the worst to lose',
      ),
    ),
    symbols,
    h(
      'div',
      {class: 'tier-cost'},
      h('b', {}, lossText(fault)),
      h('small', {}, `worst tried: ${fault.example}`),
    ),
  );
}

function legend(): HTMLElement {
  const swatch = (element: Child, name: string) => h('li', {}, element, name);
  return h(
    'ul',
    {class: 'legend losses-legend', 'aria-label': 'Colours: what losing one costs the job'},
    NAMES.map((name, k) => swatch(h('i', {class: 'switch', style: `--cost:${COLORS[k]!}`}), name)),
    swatch(h('i', {class: 'switch stops'}), 'stops the job'),
    h('li', {class: 'muted'}, 'boxes are switches, strokes are links'),
  );
}

interface Row {
  element: ElementClass;
  fault: FaultCase;
}

/** From the top of the fabric down to the NICs: what leads up from a tier stands above its switches. */
function rowsOf(faults: Faults): Row[] {
  const all = faults.classes
    .map(element => ({
      element,
      fault: faults.cases.find(one => one.table === 'one' && one.what === element.what),
    }))
    .filter((one): one is Row => one.fault !== undefined)
    .reverse();
  const tiers = [...new Set(all.map(({element}) => element.tier))];
  return tiers.flatMap(tier => {
    const own = all.filter(({element}) => element.tier === tier);
    return [
      ...own.filter(({element}) => element.is_link),
      ...own.filter(({element}) => !element.is_link),
    ];
  });
}

export function lossesMap(faults: Faults): HTMLElement {
  const rows = rowsOf(faults);
  const dearest = rows.reduce<FaultCase | undefined>((worst, {fault}) => {
    if (!worst) return fault;
    if (fault.stops !== worst.stops) return fault.stops ? fault : worst;
    const more = fault.stops
      ? (fault.isolated_ranks ?? 0) > (worst.isolated_ranks ?? 0)
      : fault.slowdown > worst.slowdown;
    return more ? fault : worst;
  }, undefined);
  return h(
    'figure',
    {class: 'chart losses'},
    h('div', {class: 'chart-head'}, legend()),
    h(
      'ul',
      {class: 'tiers'},
      rows.map(({element, fault}) =>
        row(element, fault, fault === dearest && lossClass(fault) > 0),
      ),
      h(
        'li',
        {class: 'gpus'},
        h('div', {class: 'tier-name'}, h('b', {}, 'GPUs')),
        h('p', {class: 'symbols'}, `${count(faults.ranks)} ranks of the job`),
      ),
    ),
  );
}
