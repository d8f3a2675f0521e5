// Who sends how much to whom: a square of cells, darker where more is sent. Arrow keys go from cell to cell.
import {h, lazyDetails, s} from '../dom';
import {bytes} from '../format';
import {table} from '../table';
import {hideTip, showTip, showTipAt} from './tip';

export interface HeatmapSpec {
  what: string;
  labels: string[];
  values: number[][];
  level: string;
}

const STEPS = 7;
const LISTED = 200;

/** The class of a value on a scale of equal factors from the least to the most that is sent. */
function step(value: number, least: number, most: number): number {
  if (value <= 0) return -1;
  if (most <= least) return STEPS - 1;
  return Math.min(
    STEPS - 1,
    Math.floor((Math.log(value / least) / Math.log(most / least)) * STEPS),
  );
}

export function heatmap(spec: HeatmapSpec): HTMLElement {
  const size = spec.values.length;
  const sent = spec.values.flat().filter(v => v > 0);
  const least = Math.min(...sent),
    most = Math.max(...sent);
  const cell = 640 / size,
    margin = 64;
  const label = (i: number) => spec.labels[i] ?? String(i);
  const text = (i: number, j: number) =>
    `${label(i)} to ${label(j)}: ${bytes(spec.values[i]?.[j] ?? 0)}`;
  const svg = s('svg', {
    class: 'heatmap',
    viewBox: `0 0 ${640 + margin + 2} ${640 + 26}`,
    role: 'img',
    tabindex: 0,
    'aria-label': `${spec.what} Arrow keys read cells.`,
  });
  const cells: SVGRectElement[] = [];
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const k = step(spec.values[i]?.[j] ?? 0, least, most);
      const rect = s('rect', {
        x: margin + j * cell,
        y: 24 + i * cell,
        width: cell - (size > 40 ? 0.5 : 1),
        height: cell - (size > 40 ? 0.5 : 1),
        class: k < 0 ? 'none' : '',
        style: k < 0 ? '' : `fill:var(--load-${k})`,
      });
      rect.dataset['i'] = String(i);
      rect.dataset['j'] = String(j);
      rect.dataset['value'] = String(spec.values[i]?.[j] ?? 0);
      cells.push(rect);
    }
  svg.append(...cells);
  const every = Math.ceil(size / 16);
  for (let i = 0; i < size; i += every) {
    svg.append(
      s(
        'text',
        {x: margin - 6, y: 24 + (i + 0.5) * cell + 4, 'text-anchor': 'end', class: 'tick'},
        short(label(i)),
      ),
    );
    if (i % (every * 2) === 0)
      svg.append(
        s(
          'text',
          {x: margin + (i + 0.5) * cell, y: 16, 'text-anchor': 'middle', class: 'tick'},
          short(label(i)),
        ),
      );
  }
  const ring = s('rect', {class: 'ring', width: cell, height: cell, x: margin, y: 24});
  svg.append(ring);
  let at = [0, 0];
  const readout = h('p', {class: 'readout', 'aria-live': 'polite'});
  const go = (i: number, j: number) => {
    at = [Math.min(size - 1, Math.max(0, i)), Math.min(size - 1, Math.max(0, j))];
    ring.setAttribute('x', String(margin + at[1]! * cell));
    ring.setAttribute('y', String(24 + at[0]! * cell));
    readout.textContent = text(at[0]!, at[1]!);
  };
  svg.addEventListener('keydown', event => {
    const move = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[
      event.key
    ];
    if (!move) return;
    event.preventDefault();
    go(at[0]! + move[0]!, at[1]! + move[1]!);
    showTipAt(ring, text(at[0]!, at[1]!));
  });
  svg.addEventListener('mousemove', event => {
    const {i, j} = (event.target as SVGElement).dataset;
    if (i === undefined || j === undefined) return hideTip();
    readout.textContent = text(Number(i), Number(j));
    return showTip(event.clientX, event.clientY, text(Number(i), Number(j)));
  });
  svg.addEventListener('mouseleave', hideTip);
  svg.addEventListener('blur', hideTip);
  const scale = h(
    'p',
    {class: 'scale'},
    sent.length > 0 ? bytes(least) : '0',
    h(
      'span',
      {class: 'steps', 'aria-hidden': 'true'},
      Array.from({length: STEPS}, (_u, k) => h('span', {style: `background:var(--load-${k})`})),
    ),
    sent.length > 0 ? bytes(most) : '0',
    h(
      'span',
      {class: 'note'},
      ' equal factors from step to step; empty: nothing is sent. Rows send, columns receive.',
    ),
  );
  const pairs = () => {
    const all = spec.values
      .flatMap((row, i) => row.map((value, j) => ({i, j, value})))
      .filter(({value}) => value > 0)
      .sort((a, b) => b.value - a.value || a.i - b.i || a.j - b.j);
    return h(
      'div',
      {class: 'tall', tabindex: 0, role: 'region', 'aria-label': 'The matrix as a table'},
      all.length > LISTED && h('p', {class: 'note'}, `The ${LISTED} largest of ${all.length}.`),
      table(
        'Who sends how much to whom, most first',
        [
          {title: 'From', cell: one => label(one.i)},
          {title: 'To', cell: one => label(one.j)},
          {title: 'Bytes', cell: one => bytes(one.value), isNumber: true},
        ],
        all.slice(0, LISTED),
      ),
    );
  };
  return h(
    'figure',
    {class: 'chart'},
    scale,
    svg,
    readout,
    lazyDetails('Matrix as a table', pairs),
  );
}

/** The first number of "nodes 391 to 781" is enough where there is little room. */
function short(text: string): string {
  return text.length <= 8 ? text : (text.match(/\d[\d,]*/)?.[0] ?? text).slice(0, 8);
}
