// Traffic of a run over time: at a NIC, at an uplink, of the whole fabric; loads of tiers.
import type {Run, TimeRows} from '../data';
import {choice, h, lazyDetails} from '../dom';
import {capital, gbps, percent, seconds, words} from '../format';
import {seriesChart} from '../charts/series';
import {rowsTable} from '../table';
import {runPart, type Part} from './part';

function timeRows(rows: TimeRows, kind: string): HTMLElement {
  const capacity = rows.capacity_gbps;
  const names = rows.rows.map(row => words(row.name));
  return seriesChart({
    what: `${kind} of ${rows.where}${rows.name === undefined ? '' : `, ${rows.name}`}, stacked by primitive: ${names.join(', ')}.`,
    start: rows.from_s ?? 0,
    bin: rows.bin_s,
    rows: rows.rows.map(row => ({name: words(row.name), values: row.gbps})),
    stacked: true,
    unit: gbps,
    limit:
      capacity === undefined ? undefined : {value: capacity, text: `capacity ${gbps(capacity)}`},
    height: 280,
  });
}

/** Whole step and excerpt, for each place. */
export function overTimePart(run: Run): Part | undefined {
  const whole = run.results.patterns?.over_time ?? [];
  const excerpt = run.results.patterns?.excerpt ?? [];
  const places = [...new Set([...whole, ...excerpt].map(rows => rows.where))];
  if (places.length === 0) return undefined;
  let place = 0,
    isFine = whole.length === 0;
  const slot = h('div', {});
  const show = () => {
    const rows = (isFine ? excerpt : whole).find(item => item.where === places[place]);
    const sentence =
      rows &&
      h(
        'p',
        {class: 'note'},
        rows.name ?? rows.where,
        isFine ? `, from ${seconds(rows.from_s ?? 0)} on, ` : ', the whole step, ',
        `${seconds(rows.bin_s)} a value`,
        rows.capacity_gbps !== undefined && `; it could carry ${gbps(rows.capacity_gbps)}`,
        '.',
      );
    slot.replaceChildren(
      rows
        ? h(
            'div',
            {},
            sentence,
            timeRows(rows, isFine ? 'Traffic around its fullest moment' : 'Traffic over one step'),
          )
        : h('p', {class: 'note'}, 'The run does not tell.'),
    );
  };
  show();
  const controls = h(
    'div',
    {class: 'controls'},
    places.length > 1 && choice('Where', places.map(capital), 0, i => ((place = i), show())),
    whole.length > 0 &&
      excerpt.length > 0 &&
      choice('How fine', ['Whole step', 'Fullest moment'], 0, i => ((isFine = i === 1), show())),
  );
  return runPart(
    run.id,
    'traffic',
    'Traffic over one step',
    '',
    h(
      'p',
      {class: 'intro control'},
      'Drag over the chart to zoom, or use plus, minus and the arrow keys.',
    ),
    controls,
    slot,
  );
}

/** Utilisation of the tiers, as the flow engine recorded it. */
export function tiersOverTimePart(run: Run): Part | undefined {
  const network = run.results.network;
  const rows = network?.over_time ?? [];
  if (rows.length === 0 || network?.bin_s === undefined) return undefined;
  const bin = network.bin_s;
  const slot = h('div', {});
  const show = (i: number) => {
    const row = rows[i]!;
    const lines = [
      {
        name: 'all links of the tier',
        values: row.utilisation,
        paint: {variable: '--c-line-1', shade: 0},
      },
    ];
    if (row.busiest_utilisation && row.busiest_utilisation.length > 0)
      lines.push({
        name: `busiest: ${row.busiest ?? 'link'}`,
        values: row.busiest_utilisation,
        paint: {variable: '--c-line-2', shade: 0},
      });
    slot.replaceChildren(
      seriesChart({
        what: `Utilisation of ${row.tier} over the step.`,
        bin,
        rows: lines.reverse(),
        stacked: false,
        unit: percent,
        height: 220,
        most: 0.2,
      }),
    );
  };
  show(0);
  const tiers =
    network.tiers &&
    network.tiers.length > 0 &&
    rowsTable('Loads of the tiers over the whole step', network.tiers);
  const rails =
    network.rails &&
    network.rails.length > 1 &&
    lazyDetails('Rails', () => rowsTable('What the NICs of each rail sent', network.rails!));
  const loads =
    run.results.patterns?.loads &&
    run.results.patterns.loads.length > 0 &&
    rowsTable('How evenly what is alike sent, over the whole step', run.results.patterns.loads, {
      isCaptionShown: true,
    });
  const ops =
    network.ops &&
    network.ops.length > 0 &&
    lazyDetails('What each collective took on this network', () =>
      rowsTable('Collectives on the wire', network.ops!),
    );
  return runPart(
    run.id,
    'tiers',
    'Loads of tiers',
    '',
    h(
      'div',
      {class: 'controls'},
      rows.length > 1 &&
        choice(
          'Tier',
          rows.map(row => capital(row.tier)),
          0,
          show,
        ),
    ),
    slot,
    tiers,
    loads,
    rails,
    ops,
  );
}
