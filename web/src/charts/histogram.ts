// Bars over classes of sizes, one chart per measure, with the axis of its unit. A mark from a class onwards.
import {barY, rect, ruleY, text} from '@observablehq/plot';
import {h, type Child} from '../dom';
import {table} from '../table';
import {plotChart, tagged, type Mark} from './plot';

export interface HistogramSpec {
  what: string;
  classes: {name: string; tick: string; isMarked?: boolean; values: number[]; texts: string[]}[];
  measures: {
    name: string;
    color: string;
    path: (index: number) => string;
    tick: (v: number) => string;
    ticks?: (most: number) => number[]; // where, if not at round decimal numbers
  }[];
  mark?: string; // what marked classes are
  axis: string; // what the classes are
}

interface Bar extends Mark {
  place: string;
}

export function histogram(spec: HistogramSpec): HTMLElement {
  const places = spec.classes.map((_c, i) => String(i));
  const first = spec.classes.findIndex(c => c.isMarked);
  const chart = (measure: HistogramSpec['measures'][0], j: number): Child => {
    const bars = spec.classes.map((c, i): Bar => ({
      place: String(i),
      value: c.values[j] ?? 0,
      path: measure.path(i),
      tip: `${c.name}: ${c.texts[j] ?? ''}`,
    }));
    return plotChart({
      what: `${spec.what} ${measure.name}: ${bars.map(bar => bar.tip).join('; ')}.`,
      legend: [{name: measure.name, color: measure.color}],
      make(width) {
        const slot = Math.min(90, (width - 100) / places.length);
        const every = Math.ceil(52 / slot);
        return {
          height: 190,
          marginLeft: 76,
          marginRight: Math.max(16, width - 92 - slot * places.length),
          marginBottom: 46,
          marginTop: 22,
          x: {
            domain: places,
            label: spec.axis,
            labelAnchor: 'center',
            labelArrow: 'none',
            labelOffset: 42,
            tickSize: 0,
            ticks: places.filter((_p, i) => i % every === 0),
            tickFormat: (i: string) => spec.classes[Number(i)]!.tick,
            padding: 0.18,
          },
          y: {
            label: null,
            grid: true,
            ticks: measure.ticks?.(Math.max(...bars.map(bar => bar.value))) ?? 4,
            tickFormat: measure.tick,
          },
          marks: [
            first >= 0 && spec.mark
              ? [
                  rect([0], {
                    x1: places[first]!,
                    x2: places[places.length - 1]!,
                    fill: 'var(--bad-soft)',
                  }),
                  text([spec.mark], {
                    frameAnchor: 'top-right',
                    text: (d: string) => d,
                    dy: -16,
                    fill: 'var(--bad)',
                  }),
                ]
              : null,
            barY(bars, {x: 'place', y: 'value', fill: measure.color, ...tagged(bars)}),
            ruleY([0], {stroke: 'var(--muted)'}),
          ],
        };
      },
    });
  };
  return h(
    'div',
    {class: 'stack'},
    spec.measures.map(chart),
    h(
      'details',
      {class: 'more'},
      h('summary', {}, 'Values as a table'),
      table(
        'Values of the chart',
        [
          {title: 'Class', cell: c => c.name},
          ...spec.measures.map((measure, j) => ({
            title: measure.name,
            cell: (c: HistogramSpec['classes'][0]) => c.texts[j] ?? '',
            isNumber: true,
          })),
        ],
        spec.classes,
      ),
    ),
  );
}
