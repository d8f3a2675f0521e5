// The network of a run: its tiers with their loads, and how flows lie on equal links.
import type {Json, Member, Paths, Row, Run} from '../data';
import {h, lazyDetails, type Child} from '../dom';
import {byName, capital, count, heading, percent, plain, times, words} from '../format';
import {fabricMap, linkText} from '../charts/fabric';
import {switchCells} from '../charts/switches';
import {useColor} from '../charts/use';
import {spansChart, type Span} from '../charts/spans';
import {facts, rowsTable, table} from '../table';
import {runPart, type Part} from './part';

export function timelinePart(run: Run): Part | undefined {
  const timeline = run.results.patterns?.timeline;
  if (!timeline || timeline.stages.length === 0) return undefined;
  const kindOf = (kind: number | string) =>
    typeof kind === 'number' ? kind : timeline.kinds.indexOf(kind);
  const used = [
    ...new Set(timeline.stages.flatMap(stage => stage.spans.map(span => kindOf(span[2])))),
  ].sort((a, b) => a - b);
  const chart = spansChart({
    what: `What each of ${timeline.stages.length} pipeline stages does over the step; gaps are waiting.`,
    kinds: used.map(kind => timeline.kinds[kind] ?? '?'),
    rows: timeline.stages.map(stage => ({
      name: `stage ${stage.stage}`,
      spans: stage.spans.map(([start, end, kind]): Span => [
        start,
        end,
        used.indexOf(kindOf(kind)),
      ]),
    })),
  });
  const stages =
    run.results.stages &&
    run.results.stages.length > 0 &&
    rowsTable(
      'Stages in numbers',
      run.results.stages.map((row, stage) => ({stage, ...row})),
      {
        only: [
          'stage',
          'layers',
          'compute_s',
          'exposed_s',
          'bubble_s',
          'forward_s',
          'backward_s',
          'memory_gib',
        ],
      },
    );
  return runPart(
    run.id,
    'timeline',
    'Timeline of the stages',
    timeline.note ?? '',
    chart,
    stages && h('details', {class: 'more'}, h('summary', {}, 'Stages in numbers'), stages),
  );
}

function deciles(rows: {tier: string; bins: number[]}[]): HTMLElement {
  type Tier = (typeof rows)[0];
  const most = rows[0]?.bins.length ?? 10;
  return table<Tier>(
    'Share of the links by how busy they are',
    [
      {title: 'Tier', cell: row => capital(row.tier)},
      ...Array.from({length: most}, (_u, i) => ({
        title: `${(i * 100) / most}–${((i + 1) * 100) / most} %`,
        cell: (row: Tier) => (row.bins[i]! > 0 ? percent(row.bins[i]!) : '·'),
        isNumber: true,
        bar: (row: Tier) => ({share: row.bins[i]!, color: useColor((i + 0.5) / most)}),
      })),
    ],
    rows,
    {isCaptionShown: true},
  );
}

const TOPOLOGIES: Record<string, string> = {
  star: 'one switch',
  'leaf-spine': 'two tiers: leaves and spines',
  clos3: 'three tiers: leaves, spines and cores',
  'fat-tree': 'three tiers: leaves, spines and cores',
  'rail-optimized': 'rails: GPUs of one number share a leaf, spines join all',
  'rail-only': 'rails alone: spines join leaves of one rail',
  'multi-plane': 'planes that never meet; a NIC has a port in each',
  'dual-tor': 'two leaves for each NIC, joined above',
  hybrid: 'two parts, joined by gateways',
  optical: 'pods joined by optical circuits',
};

/** What is built, in words that need no manual. */
const BUILT: [member: string, name: string, text?: (value: Json) => string][] = [
  ['topology', 'Shape', value => TOPOLOGIES[String(value)] ?? String(value)],
  ['endpoints', 'GPUs on the network'],
  ['leaves', 'Leaf switches'],
  ['hosts_per_leaf', 'GPUs under a leaf'],
  ['spines', 'Spine switches'],
  ['cores', 'Core switches'],
  ['pods', 'Pods'],
  ['uplinks', 'Uplinks of a leaf'],
  ['link_gbps', 'Rate of a link'],
  ['oversubscription', 'Oversubscription', value => `${plain(Number(value))}:1`],
];

function built(fabric: Row): Child {
  return facts(
    BUILT.filter(([member]) => fabric[member] !== undefined && fabric[member] !== 0).map(
      ([member, name, text]) => [
        name,
        text ? text(fabric[member]!) : byName(member, fabric[member]),
      ],
    ),
  );
}

export function fabricPart(run: Run): Part | undefined {
  const map = run.results.patterns?.fabric_map;
  const fabric = run.results.fabric;
  if (!map && !fabric) return undefined;
  const worst = map?.links.filter(link => link.worst) ?? [];
  return runPart(
    run.id,
    'fabric',
    'The fabric and its load',
    map
      ? `Share of their capacity that links carry, over the whole run${map.over_time?.links ? ' or in a part of it' : ''}. Drawn are the busiest switches and what lies around them; below is every switch.`
      : '',
    map && map.nodes.length > 0 && fabricMap(map, run.label),
    map?.switches && map.switches.length > 0 && switchCells(map.switches),
    fabric && built(fabric),
    worst.length > 0 &&
      lazyDetails('The busiest links between switches', () =>
        h(
          'ul',
          {},
          worst.map(link => h('li', {}, linkText(link))),
        ),
      ),
    map?.histogram &&
      map.histogram.length > 0 &&
      lazyDetails('Links by how busy they are', () => deciles(map.histogram!)),
  );
}

function membersTable(members: Member[]): HTMLElement {
  return table<Member>(
    'How flows lie on equal links',
    [
      {title: 'Choice', cell: row => row.tier},
      {title: 'Groups', cell: row => count(row.groups), isNumber: true},
      {title: 'Links', cell: row => count(row.members), isNumber: true},
      {
        title: 'Idle',
        cell: row => percent(row.idle),
        isNumber: true,
        bar: row => ({share: row.idle}),
      },
      {title: 'Busiest / mean', cell: row => times(row.worst_to_mean), isNumber: true},
      {
        title: 'Entropy',
        cell: row => (row.entropy === undefined ? '–' : row.entropy.toFixed(3)),
        isNumber: true,
        bar: row => ({share: row.entropy ?? 0}),
      },
      {title: 'Paths in effect', cell: row => row.effective_paths.toFixed(1), isNumber: true},
    ],
    members,
  );
}

/** Whatever is there: lists of objects as tables, values by name, sentences as such. */
export function anything(name: string, value: Json, depth = 4): Child {
  if (value === null || typeof value !== 'object')
    return h(
      'p',
      {},
      typeof value === 'string' ? value : `${heading(name)}: ${byName(name, value)}`,
    );
  if (Array.isArray(value)) {
    const rows = value.filter(
      (item): item is Row => item !== null && typeof item === 'object' && !Array.isArray(item),
    );
    if (rows.length === 0)
      return value.length === 0
        ? null
        : h('p', {}, `${heading(name)}: ${value.map(item => byName(name, item)).join(', ')}`);
    return rowsTable(heading(name), rows.map(flat), {isCaptionShown: true});
  }
  const entries = Object.entries(value);
  const single = entries.filter(([, item]) => item === null || typeof item !== 'object');
  const sentences = single.filter(([, item]) => typeof item === 'string' && item.length > 40);
  const numbers = single.filter(entry => !sentences.includes(entry));
  const rest = entries.filter(([, item]) => item !== null && typeof item === 'object');
  return h(
    'div',
    {},
    sentences.map(([, item]) => h('p', {class: 'note'}, String(item))),
    numbers.length > 0 && facts(numbers.map(([key, item]) => [heading(key), byName(key, item)])),
    rest.map(([key, item]) =>
      depth > 5
        ? null
        : [Array.isArray(item) ? null : h('h4', {}, heading(key)), anything(key, item, depth + 1)],
    ),
  );
}

/** Members of members as members of their own: {a: {b: 1}} as {"a b": 1}; lists of objects as sentences are too long and left out. */
function flat(row: Row): Row {
  const out: Row = {};
  for (const [key, value] of Object.entries(row)) {
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      for (const [inner, item] of Object.entries(flat(value))) out[`${key}_${inner}`] = item;
    else out[key] = value;
  }
  return out;
}

type Variant = NonNullable<Paths['variants']>[0];

/** What hashing finds at one tier, for as many queue pairs and fields as were tried. */
function tierVariants(tier: string, variants: Variant[]): HTMLElement {
  const choiceOf = (variant: Variant) => variant.tiers.find(one => one.tier === tier)!;
  const both = (found: string, expected: string) => [found, h('small', {}, ` ${expected}`)];
  const rows = variants.filter(variant => variant.tiers.some(one => one.tier === tier));
  return table<Variant>(
    `${capital(tier)}: found, and by chance`,
    [
      {
        title: 'Queue pairs',
        cell: v => [String(v.queue_pairs), v.as_set && h('span', {class: 'tag set-tag'}, 'as set')],
        isNumber: true,
      },
      {
        title: 'Hash over',
        cell: v => (v.hash_fields === 'qpn' ? 'and queue pair' : words(v.hash_fields)),
      },
      {
        title: 'Entropy, bits',
        cell: v => (v.entropy_bits === undefined ? '–' : v.entropy_bits.toFixed(1)),
        isNumber: true,
      },
      {
        title: 'Idle links',
        cell: v => both(percent(choiceOf(v).idle), percent(choiceOf(v).expected_idle)),
        isNumber: true,
        bar: v => ({share: choiceOf(v).idle}),
      },
      {
        title: 'Flows that collide',
        cell: v => both(percent(choiceOf(v).collisions), percent(choiceOf(v).expected_collisions)),
        isNumber: true,
        bar: v => ({share: choiceOf(v).collisions}),
      },
      {
        title: 'Busiest / mean',
        cell: v =>
          both(times(choiceOf(v).worst_to_mean), times(choiceOf(v).expected_worst_to_mean)),
        isNumber: true,
      },
      {title: 'Paths in effect', cell: v => choiceOf(v).effective_paths.toFixed(1), isNumber: true},
    ],
    rows,
    {isCaptionShown: true},
  );
}

function hashing(paths: Paths): Child {
  const variants = paths.variants ?? [];
  const tiers = [...new Set(variants.flatMap(variant => variant.tiers.map(one => one.tier)))];
  const p = paths.polarisation;
  return [
    h('h4', {}, 'More queue pairs, other fields'),
    paths.what !== undefined &&
      h(
        'p',
        {class: 'note'},
        `${capital(words(paths.what))}. Small: what balls that fall into bins at random would do.`,
      ),
    h(
      'div',
      {class: 'columns broad'},
      tiers.map(tier => tierVariants(tier, variants)),
    ),
    p &&
      h(
        'p',
        {class: p.polarised ? 'plainly' : 'note'},
        p.polarised
          ? 'The second choice repeats the first: hashes polarise. '
          : 'The second choice does not repeat the first. ',
        `It leaves ${percent(p.idle)} of the links idle, chance ${percent(p.expected_idle)}; with one seed for all switches ${percent(p.same_seeds_idle)}.`,
      ),
  ];
}

export function pathsPart(run: Run): Part | undefined {
  const members = run.results.network?.members ?? run.results.members ?? [];
  const paths = run.results.patterns?.paths;
  if (members.length === 0 && paths === undefined) return undefined;
  return runPart(
    run.id,
    'paths',
    'Paths and hashing',
    'Where a switch has equal links to choose from, flows collide on some and leave others idle.',
    members.length > 0 && membersTable(members),
    paths !== undefined && hashing(paths),
  );
}
