// A figure over two things that were varied: a cell for each pair, darker where it is higher, with its value where there is room.
import {cell, text} from '@observablehq/plot';
import type {PageMap} from '../data';
import {h} from '../dom';
import {significant} from '../format';
import {plotChart, tagged, type Mark} from './plot';

const STEPS = 7;
const LETTER = 7; // pixels of a letter, about
const ROW = 26;

interface Place extends Mark {
  row: string;
  column: string;
  step: number;
  text: string;
}

function placesOf(map: PageMap): Place[] {
  const values = map.cells.map(one => one.value);
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  return map.cells.map((one, i) => ({
    value: one.value,
    row: map.rows[one.row]!,
    column: map.columns[one.column]!,
    step: span > 0 ? Math.min(STEPS - 1, Math.floor(((one.value - least) / span) * STEPS)) : 0,
    text: one.text,
    path: `report.map.cells[${i}].value`,
    tip: `${map.down} = ${map.rows[one.row]!}, ${map.across} = ${map.columns[one.column]!}: ${one.text}`,
  }));
}

function scale(map: PageMap): HTMLElement {
  const values = map.cells.map(one => one.value);
  return h(
    'p',
    {class: 'scale'},
    significant(Math.min(...values)),
    h(
      'span',
      {class: 'steps', 'aria-hidden': 'true'},
      Array.from({length: STEPS}, (_u, k) => h('span', {style: `background:var(--load-${k})`})),
    ),
    significant(Math.max(...values)),
    h('span', {class: 'note'}, ` ${map.figure}, the mean over all other axes; empty: it has none.`),
  );
}

export function surfaceChart(map: PageMap): HTMLElement {
  const places = placesOf(map);
  const longest = (names: string[]) => Math.max(...names.map(name => name.length)) * LETTER;
  const chart = plotChart({
    title: map.title,
    what: `${map.figure} at every pair of ${map.down} (down) and ${map.across} (across); the table below the page's pictures has the same.`,
    make(width) {
      const left = Math.min(width / 3, 26 + longest(map.rows));
      const room = (width - left - 16) / map.columns.length;
      const every = Math.max(1, Math.ceil((longest(map.columns) + 6) / room));
      return {
        height: 64 + map.rows.length * ROW,
        marginLeft: left,
        marginRight: 16,
        marginTop: 20,
        marginBottom: 44,
        padding: 0.04,
        x: {
          domain: map.columns,
          label: map.across,
          labelAnchor: 'center',
          labelArrow: 'none',
          labelOffset: 40,
          tickSize: 0,
          ticks: map.columns.filter((_name, i) => i % every === 0),
        },
        y: {domain: map.rows, label: map.down, labelArrow: 'none', tickSize: 0},
        color: {type: 'identity'},
        marks: [
          cell(places, {
            x: 'column',
            y: 'row',
            fill: (place: Place) => `var(--load-${place.step})`,
            ...tagged(places),
          }),
          room > Math.max(...places.map(place => place.text.length)) * LETTER
            ? text(places, {
                x: 'column',
                y: 'row',
                text: 'text',
                fill: (place: Place) => (place.step < 4 ? 'var(--ink)' : 'var(--surface)'),
              })
            : null,
        ],
      };
    },
  });
  chart.insertBefore(scale(map), chart.firstChild!.nextSibling);
  return chart;
}
