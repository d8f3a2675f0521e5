// Bus bandwidth over size: what was measured as dots, what is expected and what the likeliest causes would do as lines.
import {dot, line, ruleY, type Markish} from '@observablehq/plot';
import type {Diagnosis, MeasuredPoint} from '../data';
import {bytes, significant} from '../format';
import {figure} from '../sections/part';
import {table, type Column} from '../table';
import {plotChart, tagged, type Mark, type Swatch} from './plot';

const SHOWN = 3; // causes
const LABEL = 62; // pixels that the name of a size takes
const gbs = (value: number): string => `${significant(value)} GB/s`;

interface Spot extends Mark {
  size: number;
}

interface Line {
  name: string; // in the legend
  short: string; // as the head of a column
  color: string;
  shape: Swatch['shape'];
  width: number;
  dashes?: string;
  shift?: number; // of the dashes
  path: (point: number) => string; // in the diagnosis
  spots: Spot[];
}

/** Causes may fit alike: of lines on top of each other, each is seen. */
const STYLES: Pick<Line, 'color' | 'shape' | 'width' | 'dashes' | 'shift'>[] = [
  {color: 'var(--c-line-2)', shape: 'line', width: 5},
  {color: 'var(--c-line-1)', shape: 'dashes', width: 3, dashes: '9 9'},
  {color: 'var(--c-line-3)', shape: 'dots', width: 3, dashes: '3 15', shift: -12},
];

function spotsOf(
  points: MeasuredPoint[],
  name: string,
  path: Line['path'],
  value: (point: MeasuredPoint, k: number) => number | undefined,
): Spot[] {
  return points.flatMap((point, k) => {
    const here = value(point, k);
    return here === undefined || point.size <= 0
      ? []
      : [
          {
            size: point.size,
            value: here,
            path: `diagnosis.${path(k)}`,
            tip: `${bytes(point.size)}, ${name}: ${gbs(here)}`,
          },
        ];
  });
}

function expectedLine(diagnosis: Diagnosis, i: number): Line {
  const path = (k: number) => `curves[${i}].points[${k}].expected_gbs`;
  const points = diagnosis.curves[i]!.points;
  const spots = spotsOf(points, 'expected', path, point => point.expected_gbs);
  const style = {color: 'var(--c-line-4)', shape: 'line', width: 2.5} as const;
  return {name: 'expected', short: 'Expected', path, spots, ...style};
}

/** Those of the likeliest causes that have a curve: of some, logs and counters alone tell. */
function causeLines(diagnosis: Diagnosis, i: number): Line[] {
  return diagnosis.causes
    .map((cause, at) => ({cause, at}))
    .filter(({cause}) => cause.in !== 'nothing')
    .slice(0, SHOWN)
    .map(({cause, at}, rank): Line => {
      const path = (k: number) => `causes[${at}].predicted_gbs[${i}][${k}]`;
      const row = cause.predicted_gbs[i] ?? [];
      return {
        name: `with ${cause.id}${cause.how === '' ? '' : `: ${cause.how}`}`,
        short: `With ${cause.id}`,
        path,
        spots: spotsOf(diagnosis.curves[i]!.points, `with ${cause.id}`, path, (_p, k) => row[k]),
        ...STYLES[rank]!,
      };
    })
    .filter(({spots}) => spots.length > 0);
}

/** The sizes that have room for their names, the largest first of all. */
function labelled(sizes: number[], place: (size: number) => number): number[] {
  const kept: number[] = [];
  for (const size of [...sizes].sort((a, b) => b - a))
    if (kept.length === 0 || place(kept[kept.length - 1]!) - place(size) >= LABEL) kept.push(size);
  return kept;
}

function valuesTable(diagnosis: Diagnosis, i: number, lines: Line[]): HTMLElement {
  const curve = diagnosis.curves[i]!;
  const number = (title: string, path: Line['path'], text: (v: number) => string) => ({
    title,
    cell: (k: number) => figure(diagnosis, path(k), text),
    isNumber: true,
  });
  const columns: Column<number>[] = [
    {title: 'Size', cell: k => figure(diagnosis, `curves[${i}].points[${k}].size`, bytes)},
    number('Measured', k => `curves[${i}].points[${k}].measured_gbs`, gbs),
    ...lines.map(one => number(one.short, one.path, gbs)),
  ];
  if (curve.points.some(point => point.ratio !== undefined))
    columns.push(
      number(
        'Of expected',
        k => `curves[${i}].points[${k}].ratio`,
        v => `${significant(v, 2)} ×`,
      ),
    );
  return table(
    `Bus bandwidth, ${curve.name}`,
    columns,
    curve.points.map((_p, k) => k),
  );
}

function marksOf(lines: Line[], measured: Spot[]): Markish[] {
  return [
    ruleY([0], {stroke: 'var(--muted)'}),
    ...lines.flatMap(one => [
      line(one.spots, {
        x: 'size',
        y: 'value',
        stroke: one.color,
        strokeWidth: one.width,
        strokeDasharray: one.dashes ?? 'none',
        strokeDashoffset: one.shift ?? 0,
      }),
      dot(one.spots, {
        x: 'size',
        y: 'value',
        r: one.spots.length > 1 ? 2.5 : 4, // one alone has no line
        fill: one.color,
        ...tagged(one.spots),
      }),
    ]),
    dot(measured, {
      x: 'size',
      y: 'value',
      r: 5,
      fill: 'var(--ink)',
      stroke: 'var(--surface)',
      strokeWidth: 1.5,
      ...tagged(measured),
    }),
  ];
}

export function curveChart(diagnosis: Diagnosis, i: number): HTMLElement {
  const curve = diagnosis.curves[i]!;
  const lines = [expectedLine(diagnosis, i), ...causeLines(diagnosis, i)].filter(
    ({spots}) => spots.length > 0,
  );
  const measured = spotsOf(
    curve.points,
    'measured',
    k => `curves[${i}].points[${k}].measured_gbs`,
    point => point.measured_gbs,
  );
  const all = [...measured, ...lines.flatMap(({spots}) => spots)];
  const sizes = measured.map(({size}) => size);
  const from = Math.min(...sizes) / 1.25;
  const to = Math.max(...sizes) * 1.25;
  const told = lines.map(({name, spots}) => `${name} ${gbs(spots[spots.length - 1]!.value)}`);
  const last = measured[measured.length - 1];
  return plotChart({
    what: `Bus bandwidth over size, ${curve.name}.${last ? ` At ${bytes(last.size)}: ${[`measured ${gbs(last.value)}`, ...told].join('; ')}.` : ''}`,
    legend: [
      {name: 'measured', color: 'var(--ink)', shape: 'dot'},
      ...lines.map(({name, color, shape}): Swatch => ({name, color, ...(shape && {shape})})),
    ],
    make(width) {
      const [left, right] = [56, 34];
      const place = (size: number) =>
        (Math.log(size / from) / Math.log(to / from)) * (width - left - right);
      return {
        height: width < 560 ? 260 : 330,
        marginLeft: left,
        marginRight: right,
        marginTop: 28,
        marginBottom: 44,
        x: {
          type: 'log',
          base: 2,
          domain: [from, to],
          ticks: labelled(sizes, place),
          tickFormat: (v: number) => bytes(v),
          label: 'size',
          labelAnchor: 'center',
          labelArrow: 'none',
          labelOffset: 40,
        },
        y: {
          label: 'bus bandwidth, GB/s',
          labelArrow: 'none',
          grid: true,
          ticks: 5,
          domain: [0, Math.max(...all.map(({value}) => value)) * 1.06],
        },
        marks: marksOf(lines, measured),
      };
    },
    values: () => valuesTable(diagnosis, i, lines),
  });
}
