// What failures cost: the fabric by what losing an element costs, one down, two down, slow and lost hosts, upgrades in turns.
import {lossClass, lossesMap, lossText} from '../charts/losses';
import {spreadChart} from '../charts/spread';
import type {Data, FaultCase, Faults} from '../data';
import {h, lazyDetails, type Child} from '../dom';
import {count, percent, seconds} from '../format';
import {table, type Column} from '../table';
import {figure, part, type Part} from './part';
import {copyable} from './rest';

interface Shown {
  fault: FaultCase;
  index: number; // among all cases
}

function casesOf(faults: Faults, name: string): Shown[] {
  return faults.cases
    .map((fault, index) => ({fault, index}))
    .filter(({fault}) => fault.table === name);
}

/** Those that stop the job first, then by what they cost at worst. */
function worstFirst(cases: Shown[]): Shown[] {
  return [...cases].sort((a, b) =>
    a.fault.stops !== b.fault.stops
      ? Number(b.fault.stops) - Number(a.fault.stops)
      : b.fault.most_s - a.fault.most_s,
  );
}

/** With one digit: less is luck. */
const share = (value: number): string => `${(value * 100).toFixed(1).replace(/^-(0\.0)$/, '$1')} %`;

const MARKS = ['○', '◔', '◔', '◑', '◕', '●', '✕']; // as full as it is dear

/** A mark that tells how dear it is without its colour, and the slowdown. */
function cost(faults: Faults, {fault, index}: Shown): Child {
  const mark = h('span', {class: 'cost-mark', 'aria-hidden': 'true'}, MARKS[lossClass(fault)]!);
  return fault.stops
    ? [mark, ' stops']
    : [mark, ' ', figure(faults, `cases[${index}].slowdown`, share)];
}

function hitMost(faults: Faults, {fault, index}: Shown): Child {
  if (fault.stops)
    return (fault.isolated_ranks ?? 0) > 0
      ? [figure(faults, `cases[${index}].isolated_ranks`, count), ' cut off']
      : '–';
  const worst = fault.worst_rank;
  if (!worst) return '–';
  const later = figure(faults, `cases[${index}].worst_rank.later_s`, seconds);
  return worst.stage === undefined
    ? [`rank ${worst.rank}, `, later, ' later']
    : [`stage ${worst.stage} (rank ${worst.rank} on), waits `, later, ' more'];
}

function columns(faults: Faults, name: Column<Shown>, extra: Column<Shown>[]): Column<Shown>[] {
  const number = (title: string, member: string, text: (v: number) => string): Column<Shown> => ({
    title,
    cell: one => (one.fault.stops ? '–' : figure(faults, `cases[${one.index}].${member}`, text)),
    isNumber: true,
  });
  return [
    name,
    ...extra,
    {title: 'Slower', cell: one => cost(faults, one), isNumber: true},
    number('Time', 'time_s', seconds),
    number('Least', 'least_s', seconds),
    number('Worst', 'most_s', seconds),
    {title: 'Hit most', cell: one => hitMost(faults, one)},
  ];
}

const whole = (faults: Faults, member: string, text: (v: number) => string): Column<Shown> => ({
  title: member === 'count' ? 'How many' : 'Capacity lost',
  cell: one => figure(faults, `cases[${one.index}].${member}`, text),
  isNumber: true,
});

const what: Column<Shown> = {title: 'What', cell: one => one.fault.what};
const example: Column<Shown> = {title: 'What', cell: one => one.fault.example};

/** The worst draw of each, to run again. */
function commands(cases: Shown[]): HTMLElement {
  return lazyDetails('Commands that repeat the worst of each', () =>
    h(
      'ul',
      {class: 'plain'},
      cases
        .filter(({fault}) => fault.command !== '')
        .map(({fault}) =>
          h(
            'li',
            {},
            h(
              'p',
              {},
              h('b', {}, fault.what),
              `: ${lossText(fault)}`,
              fault.why && ` (${fault.why})`,
            ),
            copyable(fault.command, `command for ${fault.what}`),
          ),
        ),
    ),
  );
}

function onePart(faults: Faults): Part | undefined {
  const one = worstFirst(casesOf(faults, 'one'));
  const slow = worstFirst(casesOf(faults, 'slow'));
  if (one.length === 0) return undefined;
  const all = (caption: string, rows: Shown[]) =>
    table(
      caption,
      columns(faults, what, [whole(faults, 'count', count), whole(faults, 'lost_share', percent)]),
      rows,
      {isCaptionShown: true},
    );
  return part(
    'faults-one',
    'One at a time',
    'Of elements that are alike some are tried, with several seeds where switches hash.',
    h(
      'div',
      {class: 'card'},
      all('One element down', one),
      spreadChart(faults),
      slow.length > 0 && all('One link at half its rate', slow),
      commands([...one, ...slow]),
    ),
  );
}

/** Packet by packet: what goes down while the job runs. */
function suddenPart(faults: Faults): Part | undefined {
  const sudden = worstFirst(casesOf(faults, 'sudden'));
  if (sudden.length === 0) return undefined;
  const packets = (title: string, member: string): Column<Shown> => ({
    title,
    cell: one => figure(faults, `cases[${one.index}].${member}`, count),
    isNumber: true,
  });
  return part(
    'faults-sudden',
    'One element goes down while the job runs',
    'Packets are lost until switches have noticed; a queue pair that hears nothing for too long breaks.',
    h(
      'div',
      {class: 'card'},
      table(
        'Sudden failures',
        columns(faults, what, [
          packets('Packets lost', 'lost_packets'),
          packets('Queue pairs broken', 'broken_queue_pairs'),
        ]),
        sudden,
      ),
      sudden
        .filter(({fault}) => fault.stops)
        .map(({fault}) => h('p', {class: 'note'}, `${fault.example}: ${fault.why}.`)),
      commands(sudden),
    ),
  );
}

function twoPart(faults: Faults): Part | undefined {
  const two = worstFirst(casesOf(faults, 'two'));
  if (two.length === 0) return undefined;
  const shown = 10;
  const rows = (caption: string, some: Shown[]) =>
    table(caption, columns(faults, example, [{title: 'Kind', cell: one => one.fault.what}]), some);
  return part(
    'faults-two',
    'Two at once',
    'Pairs with an element whose loss alone stops the job are left out.',
    h(
      'div',
      {class: 'card'},
      rows('The worst pairs', two.slice(0, shown)),
      two.length > shown &&
        lazyDetails(`${two.length - shown} pairs that cost less`, () =>
          rows('The other pairs', two.slice(shown)),
        ),
      commands(two.slice(0, shown)),
    ),
  );
}

function hostsPart(faults: Faults): Part | undefined {
  const hosts = casesOf(faults, 'host');
  if (hosts.length === 0) return undefined;
  const number = (title: string, member: string): Column<Shown> => ({
    title,
    cell: one => (one.fault.stops ? '–' : figure(faults, `cases[${one.index}].${member}`, count)),
    isNumber: true,
  });
  const hasBatch = faults.batch > 0;
  return part(
    'faults-hosts',
    'A GPU slow, a server lost',
    hasBatch
      ? 'How the job goes on after a restart. Slower is for the same work: a batch that is smaller or larger is counted.'
      : 'How the job goes on after a restart.',
    h(
      'div',
      {class: 'card'},
      table(
        'Slow and lost hosts',
        columns(faults, what, [
          number('GPUs', 'gpus'),
          ...(hasBatch ? [number('Batch', 'batch')] : []),
        ]),
        hosts,
      ),
      hosts
        .filter(({fault}) => fault.stops)
        .map(({fault}) => h('p', {class: 'note'}, `${fault.what}: ${fault.why}.`)),
      commands(hosts),
    ),
  );
}

function upgradePart(faults: Faults): Part | undefined {
  const upgrade = casesOf(faults, 'upgrade');
  if (upgrade.length === 0) return undefined;
  return part(
    'faults-upgrade',
    'A tier upgraded in turns',
    'So many switches of a tier are down at once, spread over it, while the job goes on.',
    h(
      'div',
      {class: 'card'},
      table(
        'Rolling upgrades',
        columns(faults, {title: 'At once', cell: one => one.fault.what}, [
          {
            title: 'Capacity left',
            cell: one => figure(faults, `cases[${one.index}].capacity_left_share`, percent),
            isNumber: true,
            bar: one => ({share: one.fault.capacity_left_share}),
          },
        ]),
        upgrade,
      ),
      commands(upgrade),
    ),
  );
}

function mapPart(faults: Faults): Part {
  const time = (path: string) => figure(faults, path, seconds);
  return part(
    'faults-map',
    'The fabric, by what losing one element costs',
    '',
    h(
      'div',
      {class: 'card'},
      h(
        'p',
        {},
        'With nothing broken: ',
        h('b', {}, time('whole_s')),
        faults.seeds.length > 1 && [
          ', from ',
          time('whole_least_s'),
          ' to ',
          time('whole_most_s'),
          ` over ${faults.seeds.length} seeds`,
        ],
        '. The fabric degrades ',
        h('b', {class: 'manner'}, faults.predictable ? 'predictably' : 'unpredictably'),
        '.',
      ),
      lossesMap(faults),
    ),
  );
}

export function faultsParts(data: Data): (Part | undefined)[] {
  const {faults} = data;
  if (!faults) return [];
  return [
    mapPart(faults),
    onePart(faults),
    suddenPart(faults),
    hostsPart(faults),
    twoPart(faults),
    upgradePart(faults),
  ];
}
