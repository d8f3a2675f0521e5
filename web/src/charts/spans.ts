// What each pipeline stage does, when: one row per stage, a gap is waiting. Zoomable like every chart over time.
import uPlot from 'uplot';
import {h} from '../dom';
import {seconds, words} from '../format';
import {css, paints, resolved} from '../palette';
import {axis, timeTicks, zoom} from './axes';
import {register} from './registry';
import {hideTip, showTip} from './tip';

export type Span = [start: number, end: number, kind: number];
export interface SpansSpec {
  what: string;
  kinds: string[];
  rows: {name: string; spans: Span[]}[];
}

function drawRows(u: uPlot, spec: SpansSpec, colors: string[]): void {
  const {left, top, width, height} = u.bbox;
  const row = height / spec.rows.length;
  const gap = Math.min(row * 0.18, 3 * devicePixelRatio);
  const fills = colors.map(resolved);
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  spec.rows.forEach((line, i) => {
    u.ctx.fillStyle = resolved('var(--c-bubble)');
    u.ctx.fillRect(left, top + i * row + gap, width, row - 2 * gap);
    for (const [start, end, kind] of line.spans) {
      const from = u.valToPos(start, 'x', true);
      const to = u.valToPos(end, 'x', true);
      if (to < left || from > left + width) continue;
      u.ctx.fillStyle = fills[kind] ?? fills[0]!;
      const isWide = to - from > 4 * devicePixelRatio;
      u.ctx.fillRect(
        from,
        top + i * row + gap,
        Math.max(isWide ? to - from - 0.75 * devicePixelRatio : to - from, 0.5),
        row - 2 * gap,
      );
    }
  });
  u.ctx.restore();
}

function spanAt(spec: SpansSpec, row: number, time: number): Span | undefined {
  return spec.rows[row]?.spans.find(([start, end]) => time >= start && time <= end);
}

export function spansChart(spec: SpansSpec): HTMLElement {
  const end = Math.max(0, ...spec.rows.flatMap(row => row.spans.map(span => span[1])));
  const colors = paints(spec.kinds).map(css);
  const height = Math.min(
    640,
    44 + spec.rows.length * Math.max(14, Math.min(34, 420 / spec.rows.length)),
  );
  const host = h('div', {
    class: 'plot spans',
    tabindex: 0,
    role: 'img',
    'aria-label': `${spec.what} Plus and minus zoom, arrows move, Home shows all.`,
  });
  let plot: uPlot | undefined;
  const zooming = zoom(() => plot, 0, end);
  const options = (width: number): uPlot.Options => ({
    width,
    height,
    padding: [6, 22, 0, 0],
    legend: {show: false},
    cursor: {drag: {x: true, y: false, setScale: true}, points: {show: false}, y: false},
    scales: {
      x: {time: false, range: (_u, min, max) => [min, max]},
      y: {range: () => [0, spec.rows.length]},
    },
    axes: [
      axis(String, {size: 32, space: 70, values: timeTicks}),
      axis(String, {
        size: 74,
        grid: {show: false},
        ticks: {show: false},
        splits: () => spec.rows.map((_row, i) => i + 0.5),
        values: (_u, splits) =>
          splits.map(split =>
            spec.rows.length <= 24 || Math.floor(split) % 2 === 1
              ? spec.rows[spec.rows.length - 1 - Math.floor(split)]!.name
              : '',
          ),
      }),
    ],
    series: [{}, {stroke: 'transparent', points: {show: false}}],
    hooks: {
      draw: [u => drawRows(u, spec, colors)],
      setScale: [
        (u, key) => {
          if (key !== 'x') return;
          host.dataset['from'] = String(u.scales['x']!.min);
          host.dataset['to'] = String(u.scales['x']!.max);
          zooming.changed();
        },
      ],
    },
  });
  host.addEventListener('keydown', event => zooming.onKey(event));
  host.addEventListener('mousemove', event => {
    const over = plot?.over.getBoundingClientRect();
    if (
      !plot ||
      !over ||
      event.clientY < over.top ||
      event.clientY > over.bottom ||
      event.clientX < over.left
    )
      return hideTip();
    const row = Math.floor(((event.clientY - over.top) / over.height) * spec.rows.length);
    const time = plot.posToVal(event.clientX - over.left, 'x');
    const span = spanAt(spec, row, time);
    return showTip(
      event.clientX,
      event.clientY,
      h('b', {}, spec.rows[row]?.name),
      ' ',
      span
        ? `${words(spec.kinds[span[2]] ?? '')}, ${seconds(span[0])} to ${seconds(span[1])}`
        : `waiting, at ${seconds(time)}`,
    );
  });
  host.addEventListener('mouseleave', hideTip);
  Object.assign(host, {rows: spec.rows}); // for those who look at the page from outside
  register({
    host,
    resize(width) {
      if (plot) plot.setSize({width, height});
      else
        plot = new uPlot(
          options(width),
          [
            [0, end],
            [0, 0],
          ],
          host,
        );
    },
    redraw: () => plot?.redraw(),
  });
  const legend = h(
    'ul',
    {class: 'legend'},
    spec.kinds.map((kind, i) =>
      h('li', {}, h('span', {class: 'swatch', style: `background:${colors[i]!}`}), words(kind)),
    ),
    h(
      'li',
      {},
      h('span', {class: 'swatch', style: 'background:var(--c-bubble)'}),
      'waiting for other stages',
    ),
  );
  return h('figure', {class: 'chart'}, h('div', {class: 'chart-head'}, legend, zooming.bar), host);
}
