// A quantity over time: lines, or areas on top of each other. Zoomable; with a sentence and a table for those who do not see it.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {h, lazyDetails} from '../dom';
import {bytes, BYTE_STEPS, seconds} from '../format';
import {css, paints, resolved, type Paint} from '../palette';
import {table} from '../table';
import {axis, timeTicks, zoom} from './axes';
import {register} from './registry';
import {hideTip, showTip} from './tip';

export interface SeriesSpec {
  what: string; // a sentence for the screen reader
  start?: number; // seconds, of the first value
  bin?: number; // seconds between values
  times?: number[]; // or their times
  rows: {name: string; values: number[]; paint?: Paint}[];
  stacked: boolean;
  unit: (value: number) => string;
  limit?: {value: number; text: string};
  height?: number;
  most?: number; // the axis goes up to this at least
  together?: string; // charts with the same word move together
  member?: string; // of the document, for those who look at the page from outside
}

const TALLEST_TABLE = 400;

/** Paper is dear. */
function heightOf(spec: SeriesSpec): number {
  const isPaper = document.documentElement.classList.contains('printing');
  return Math.min(spec.height ?? 260, isPaper ? 165 : Infinity);
}

function timesOf(spec: SeriesSpec): number[] {
  if (spec.times) return spec.times;
  const length = Math.max(0, ...spec.rows.map(row => row.values.length));
  return Array.from({length}, (_unused, i) => (spec.start ?? 0) + i * (spec.bin ?? 1));
}

/** Where each area ends at the top: its row and all below it. */
function tops(rows: number[][]): number[][] {
  const out: number[][] = [];
  rows.forEach((row, i) =>
    out.push(row.map((value, j) => (value ?? 0) + (i > 0 ? out[i - 1]![j]! : 0))),
  );
  return out;
}

function valuesTable(spec: SeriesSpec, times: number[]): HTMLElement {
  const every = Math.max(1, Math.ceil(times.length / TALLEST_TABLE));
  const kept = times.map((_t, i) => i).filter(i => i % every === 0);
  return h(
    'div',
    {class: 'tall', tabindex: 0, role: 'region', 'aria-label': 'Values of the chart'},
    every > 1 && h('p', {class: 'note'}, `One value of ${every} is shown.`),
    table<number>(
      'Values of the chart',
      [
        {title: 'Time', cell: i => seconds(times[i]!)},
        ...spec.rows.map(row => ({
          title: row.name,
          cell: (i: number) => spec.unit(row.values[i] ?? 0),
          isNumber: true,
        })),
      ],
      kept,
    ),
  );
}

export function seriesChart(spec: SeriesSpec): HTMLElement {
  const times = timesOf(spec);
  const bin = spec.bin ?? (times.length > 1 ? times[1]! - times[0]! : 1);
  const end = (times[times.length - 1] ?? 0) + (spec.times ? 0 : bin);
  const x = spec.times ? times : [...times, end];
  const colors = paints(spec.rows.map(row => row.name)).map((paint, i) =>
    css(spec.rows[i]!.paint ?? paint),
  );
  const raw = spec.rows.map(row =>
    spec.times ? row.values : [...row.values, row.values[row.values.length - 1] ?? 0],
  );
  const drawn = spec.stacked ? tops(raw) : raw;
  const order = spec.stacked
    ? drawn.map((_row, i) => drawn.length - 1 - i)
    : drawn.map((_row, i) => i);

  const legend = h(
    'ul',
    {class: 'legend'},
    spec.rows.map((row, i) =>
      h('li', {}, h('span', {class: 'swatch', style: `background:${colors[i]!}`}), row.name),
    ),
    spec.limit && h('li', {}, h('span', {class: 'swatch dashed'}), spec.limit.text),
  );
  const host = h('div', {
    class: 'plot',
    tabindex: 0,
    role: 'img',
    'data-member': spec.member,
    'aria-label': `${spec.what} Plus and minus zoom, arrows move, Home shows all.`,
  });
  let plot: uPlot | undefined;
  const zooming = zoom(() => plot, x[0] ?? 0, end);

  const options = (width: number): uPlot.Options => ({
    width,
    height: heightOf(spec),
    padding: [10, 22, 0, 0],
    legend: {show: false},
    cursor: {
      drag: {x: true, y: false, setScale: true},
      points: {show: false},
      ...(spec.together === undefined ? {} : {sync: {key: spec.together}}),
    },
    select: {show: true, left: 0, top: 0, width: 0, height: 0},
    scales: {
      x: {time: false, range: (_u, min, max) => [min, max]},
      y: {
        range: (_u, _min, max) => [
          0,
          Math.max(
            spec.most ?? 0,
            max > 0 ? max * 1.06 : 1,
            spec.limit && max > spec.limit.value * 0.45 ? spec.limit.value * 1.04 : 0,
          ),
        ],
      },
    },
    axes: [
      axis(String, {size: 32, space: 70, values: timeTicks}),
      axis(spec.unit, {
        size: 78,
        label: undefined,
        ...(spec.unit === bytes ? {incrs: BYTE_STEPS} : {}),
      }),
    ],
    series: [
      {},
      ...order.map((i): uPlot.Series => ({
        label: spec.rows[i]!.name,
        stroke: () => resolved(colors[i]!),
        fill: spec.stacked ? () => resolved(colors[i]!) : undefined,
        width: spec.stacked ? 0 : 1.6,
        points: {show: false},
        paths: spec.times ? uPlot.paths.linear!() : uPlot.paths.stepped!({align: 1}),
      })),
    ],
    hooks: {
      setScale: [
        (u, key) => {
          if (key !== 'x') return;
          host.dataset['from'] = String(u.scales['x']!.min);
          host.dataset['to'] = String(u.scales['x']!.max);
          zooming.changed();
        },
      ],
      draw: [u => drawLimit(u, spec)],
    },
  });

  host.addEventListener('keydown', event => zooming.onKey(event));
  host.addEventListener('mousemove', event => {
    const index = plot?.cursor.idx;
    if (
      index === null ||
      index === undefined ||
      index >= times.length ||
      (plot!.cursor.left ?? -1) < 0
    )
      return hideTip();
    const lines = spec.rows
      .map((row, i) => ({row, color: colors[i]!, value: row.values[index] ?? 0}))
      .filter(({value}) => !spec.stacked || value > 0);
    return showTip(
      event.clientX,
      event.clientY,
      h('b', {}, `at ${seconds(times[index]!)}`),
      lines
        .reverse()
        .map(({row, color, value}) =>
          h(
            'div',
            {},
            h('span', {class: 'swatch', style: `background:${color}`}),
            `${row.name} ${spec.unit(value)}`,
          ),
        ),
    );
  });
  host.addEventListener('mouseleave', hideTip);
  register({
    host,
    resize(width) {
      if (plot) plot.setSize({width, height: heightOf(spec)});
      else {
        plot = new uPlot(options(width), [x, ...order.map(i => drawn[i]!)], host);
        Object.assign(host, {plot}); // for those who look at the page from outside
      }
    },
    redraw: () => plot?.redraw(),
  });
  return h(
    'figure',
    {class: 'chart'},
    h('div', {class: 'chart-head'}, legend, zooming.bar),
    host,
    lazyDetails('Values as a table', () => valuesTable(spec, times)),
  );
}

function drawLimit(u: uPlot, spec: SeriesSpec): void {
  if (!spec.limit) return;
  const y = u.valToPos(spec.limit.value, 'y', true);
  if (y < u.bbox.top) return;
  u.ctx.save();
  u.ctx.strokeStyle = resolved('var(--ink)');
  u.ctx.lineWidth = devicePixelRatio;
  u.ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  u.ctx.beginPath();
  u.ctx.moveTo(u.bbox.left, y);
  u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
  u.ctx.stroke();
  u.ctx.restore();
}
