// A figure over one thing that was varied: its means as a line, and from the least to the most around it. Names have no line.
import {areaY, dot, line, link, type Markish} from '@observablehq/plot';
import type {PageCurve} from '../data';
import {significant} from '../format';
import {table, type Column} from '../table';
import {plotChart, tagged, type Mark} from './plot';

type Point = PageCurve['points'][number];

interface Spot extends Mark {
  x: number | string;
  least: number;
  most: number;
}

const AROUND = 'color-mix(in oklab, var(--c-line-1) 16%, var(--surface))';
const LABEL = 70; // pixels that a number below the axis takes

function spotsOf(curve: PageCurve, path: string): Spot[] {
  const spots = curve.points.map((point, i) => ({
    x: point.at ?? point.label,
    value: point.mean,
    least: point.least,
    most: point.most,
    path: `${path}.points[${i}].mean`,
    tip: `${curve.axis} = ${point.label}: ${point.text}, from ${significant(point.least)} to ${significant(point.most)} at ${point.count} points`,
  }));
  if (curve.scale !== 'names') spots.sort((a, b) => Number(a.x) - Number(b.x));
  return spots;
}

function valuesTable(curve: PageCurve): HTMLElement {
  const columns: Column<Point>[] = [
    {title: curve.axis, cell: point => point.label},
    {title: 'Mean', cell: point => point.text, isNumber: true},
    {title: 'Least', cell: point => significant(point.least), isNumber: true},
    {title: 'Most', cell: point => significant(point.most), isNumber: true},
    {title: 'Points', cell: point => String(point.count), isNumber: true},
  ];
  return table(curve.title, columns, curve.points);
}

function marksOf(spots: Spot[], isLine: boolean): Markish[] {
  const around = isLine
    ? areaY(spots, {x: 'x', y1: 'least', y2: 'most', fill: AROUND})
    : link(spots, {x: 'x', y1: 'least', y2: 'most', stroke: 'var(--c-line-1)', strokeWidth: 2});
  return [
    around,
    isLine ? line(spots, {x: 'x', y: 'value', stroke: 'var(--c-line-1)', strokeWidth: 2}) : null,
    dot(spots, {x: 'x', y: 'value', r: 4, fill: 'var(--c-line-1)', ...tagged(spots)}),
  ];
}

/** Of what lies beside each other on an axis, the names that have room. */
function shownNames(spots: Spot[], width: number): string[] {
  const longest = Math.max(...spots.map(({x}) => String(x).length)) * 7 + 8;
  const every = Math.max(1, Math.ceil((spots.length * longest) / Math.max(1, width)));
  return spots.map(({x}) => String(x)).filter((_x, i) => i % every === 0);
}

export function responseChart(curve: PageCurve, path: string): HTMLElement {
  const spots = spotsOf(curve, path);
  const isLine = curve.scale !== 'names';
  const unit = curve.unit === undefined ? '' : `, ${curve.unit}`;
  const ends = [...spots.map(({least}) => least), ...spots.map(({most}) => most)];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = (high - low) * 0.06 || Math.abs(high) * 0.06 || 1;
  const lowest = spots.reduce((a, b) => (b.value < a.value ? b : a));
  const highest = spots.reduce((a, b) => (b.value > a.value ? b : a));
  return plotChart({
    title: curve.title,
    what: `${curve.figure} over ${curve.axis}${unit}: the mean is least, ${significant(lowest.value)}, at ${lowest.x}, and most, ${significant(highest.value)}, at ${highest.x}.`,
    legend: [
      {name: 'mean over all other axes', color: 'var(--c-line-1)', shape: isLine ? 'line' : 'dot'},
      isLine
        ? {name: 'from the least to the most', color: AROUND, shape: 'bar'}
        : {name: 'from the least to the most', color: 'var(--c-line-1)', shape: 'line'},
    ],
    make(width) {
      const [left, right] = [64, 24];
      const across = width - left - right;
      return {
        height: width < 560 ? 220 : 260,
        marginLeft: left,
        marginRight: right,
        marginTop: 24,
        marginBottom: 44,
        x: {
          label: `${curve.axis}${unit}`,
          labelAnchor: 'center',
          labelArrow: 'none',
          labelOffset: 40,
          ...(isLine
            ? {
                type: curve.scale === 'log' ? 'log' : 'linear',
                ticks:
                  spots.length * LABEL < across
                    ? spots.map(({x}) => Number(x))
                    : Math.max(2, Math.floor(across / LABEL)),
                tickFormat: (v: number) => significant(v),
              }
            : {
                type: 'point',
                padding: 0.5,
                domain: spots.map(({x}) => x),
                ticks: shownNames(spots, across),
              }),
        },
        y: {
          label: curve.figure,
          labelArrow: 'none',
          grid: true,
          ticks: 5,
          domain: [low >= 0 ? Math.max(0, low - room) : low - room, high + room],
          tickFormat: (v: number) => significant(v),
        },
        marks: marksOf(spots, isLine),
      };
    },
    values: () => valuesTable(curve),
  });
}
