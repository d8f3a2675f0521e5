// Every switch of the network as a cell, coloured by the share of capacity that its links use. Arrow keys read cells.
import {choice, h, s} from '../dom';
import type {FabricSwitches} from '../data';
import {capital, count, percent} from '../format';
import {plural} from './fabric';
import {register} from './registry';
import {hideTip, showTip, showTipAt} from './tip';
import {useColor} from './use';

const MEASURES = ['up', 'down', 'peak'] as const;
type Measure = (typeof MEASURES)[number];
const WORDS: Record<Measure, string> = {up: 'Links up', down: 'Links down', peak: 'Busiest link'};

function cellText(all: FabricSwitches, i: number): string {
  const loads = MEASURES.filter(measure => all[measure]).map(
    measure => `${WORDS[measure].toLowerCase()} ${percent(all[measure]![i] ?? 0)}`,
  );
  return `${all.names?.[i] ?? `${all.kind} ${i}`}: ${loads.join(', ')}`;
}

const cellSize = (cells: number) => (cells <= 200 ? 20 : cells <= 1200 ? 13 : 8);

export function switchCells(kinds: FabricSwitches[]): HTMLElement {
  let kind = 0,
    measure: Measure = 'up',
    width = 0,
    columns = 1,
    here = 0;
  const readout = h('p', {class: 'readout', 'aria-live': 'polite'});
  const host = h('div', {class: 'cells'});
  const draw = () => {
    const all = kinds[kind]!;
    const values = all[measure] ?? all.down;
    const size = cellSize(values.length);
    columns = Math.max(1, Math.floor(width / size));
    here = values.indexOf(Math.max(...values));
    const place = (i: number) => ({x: (i % columns) * size, y: Math.floor(i / columns) * size});
    const ring = s('rect', {class: 'ring', width: size, height: size, ...place(here)});
    const svg = s(
      'svg',
      {
        width,
        height: Math.ceil(values.length / columns) * size + 2,
        role: 'img',
        tabindex: 0,
        'aria-label': `${WORDS[measure]} of all ${count(values.length)} ${plural(all.kind)}, as shares of capacity. Arrow keys read them.`,
      },
      values.map((value, i) =>
        s('rect', {
          ...place(i),
          width: size - 1,
          height: size - 1,
          style: `fill:${useColor(value)}`,
          'data-i': i,
          'data-value': value,
        }),
      ),
      ring,
    );
    const tell = (i: number) => (readout.textContent = cellText(all, i));
    readout.textContent = `Busiest: ${cellText(all, here)}`;
    svg.addEventListener('mousemove', event => {
      const i = (event.target as SVGElement).dataset['i'];
      if (i === undefined) return hideTip();
      tell(Number(i));
      return showTip(event.clientX, event.clientY, cellText(all, Number(i)));
    });
    svg.addEventListener('mouseleave', hideTip);
    svg.addEventListener('blur', hideTip);
    svg.addEventListener('keydown', event => {
      const move = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns}[event.key];
      if (move === undefined) return;
      event.preventDefault();
      here = Math.min(values.length - 1, Math.max(0, here + move));
      ring.setAttribute('x', String(place(here).x));
      ring.setAttribute('y', String(place(here).y));
      tell(here);
      showTipAt(ring, cellText(all, here));
    });
    host.replaceChildren(svg);
  };
  register({
    host,
    resize(next) {
      if (next === width) return;
      width = next;
      draw();
    },
    redraw: () => undefined,
  });
  const measures = MEASURES.filter(one => kinds.some(all => all[one]));
  measure = measures[0]!;
  return h(
    'figure',
    {class: 'chart cells-figure'},
    h('h4', {}, 'Every switch'),
    h(
      'div',
      {class: 'controls'},
      kinds.length > 1 &&
        choice(
          'Switches',
          kinds.map(all => `${capital(plural(all.kind))}: ${count(all.peak.length)}`),
          0,
          i => ((kind = i), draw()),
        ),
      choice(
        'Load of',
        measures.map(one => WORDS[one]),
        0,
        i => ((measure = measures[i]!), draw()),
      ),
    ),
    host,
    readout,
  );
}
