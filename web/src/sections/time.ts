// One picture per run: where a step's time goes, with the network's part in it.
import type {Breakdown, Data, Run} from '../data';
import {h, lazyDetails} from '../dom';
import {percent, seconds} from '../format';
import {stepBar, type StepPart} from '../charts/step';
import {figuresList} from './figures';
import {figure, part, type Part} from './part';
import {sentences} from './verdict';

interface Piece extends StepPart {
  at: string; // member of the results, in seconds
  shareAt?: string;
}

const WORDS: Record<string, string> = {
  bubble: 'the pipeline’s own bubble',
  'scale-up': 'scale-up links',
};
const INKS: Record<string, string> = {bubble: 'var(--ink)', host: 'var(--on-pale)'};

const GROUPS: [string, string][] = [
  ['tensor', 'tensor-parallel communication'],
  ['context', 'context-parallel communication'],
  ['expert', 'expert-parallel communication'],
  ['pipeline', 'pipeline communication'],
  ['data', 'data-parallel communication'],
];

function piece(name: string, color: string, value: number, share: number, at: string): Piece {
  return {
    name,
    value,
    share,
    at,
    color: `var(--c-${color})`,
    ink: INKS[color] ?? 'var(--on-part)',
    isNetwork: color === 'network',
    tip: `${name}: ${seconds(value)}, ${percent(share)} of the step`,
  };
}

/** As the verdict cuts the step; of a document that has none, as the breakdown does. */
export function stepParts(run: Run): Piece[] {
  const own = run.results.verdict?.parts;
  if (own)
    return own
      .map((one, i) => ({
        ...piece(WORDS[one.name] ?? one.name, one.name, one.s, one.share, `verdict.parts[${i}].s`),
        brief: one.name,
        shareAt: `verdict.parts[${i}].share`,
      }))
      .filter(({value, isNetwork}) => value > 0 || isNetwork);
  const b = run.results.breakdown;
  return b ? fromBreakdown(b, run.results.step_time_s ?? 0) : [];
}

function fromBreakdown(b: Breakdown, step: number): Piece[] {
  const share = (value: number) => (step > 0 ? value / step : 0);
  const one = (name: string, color: string, value: number, at: string) =>
    piece(name, color, value, share(value), `breakdown.${at}`);
  return [
    one('compute', 'compute', b.compute_s, 'compute_s'),
    one('compute slowed by communication', 'contention', b.contention_s, 'contention_s'),
    ...GROUPS.map(([key, name]) => one(name, key, b.exposed_s[key] ?? 0, `exposed_s.${key}`)),
    {...one('waiting for other stages', 'bubble', b.bubble_s, 'bubble_s'), brief: 'waiting'},
    one('optimizer', 'optimizer', b.optimizer_s, 'optimizer_s'),
    one('host', 'host', b.host_s, 'host_s'),
  ].filter(({value}) => value > 0);
}

/** Colours, names and numbers of the bar. */
function key(run: Run, pieces: Piece[]): HTMLElement {
  return h(
    'ul',
    {class: 'legend step-key'},
    pieces.map(one =>
      h(
        'li',
        {class: one.isNetwork ? 'network' : null},
        h('span', {class: 'swatch', style: `--swatch:${one.color}`}),
        one.name,
        ' ',
        h('b', {}, figure(run.results, one.at, seconds)),
        one.shareAt !== undefined && [
          ' ',
          h('span', {class: 'muted'}, figure(run.results, one.shareAt, percent)),
        ],
      ),
    ),
  );
}

/** What each group of GPUs waits for and what compute hides: the step by cause instead of by place. */
function byGroup(run: Run): HTMLElement | undefined {
  const b = run.results.breakdown;
  if (!b) return undefined;
  const groups = GROUPS.filter(
    ([name]) => (b.exposed_s[name] ?? 0) > 0 || (b.hidden_s[name] ?? 0) > 0,
  );
  if (groups.length === 0) return undefined;
  return lazyDetails('Communication by group', () =>
    h(
      'ul',
      {},
      groups.map(([name, words]) =>
        h(
          'li',
          {},
          `${words}: exposed `,
          figure(run.results, `breakdown.exposed_s.${name}`, seconds),
          ', hidden beside compute ',
          figure(run.results, `breakdown.hidden_s.${name}`, seconds),
        ),
      ),
    ),
  );
}

function card(run: Run, index: number, isAlone: boolean): HTMLElement {
  const pieces = stepParts(run).map(one => ({...one, path: `runs[${index}].results.${one.at}`}));
  const {name, verdict} = run.results;
  const own = verdict?.sentences ?? [];
  const shown = own.filter(one => ['cost', 'limit', 'change'].includes(one.about));
  const rest = own.filter(one => !shown.includes(one));
  return h(
    'article',
    {class: 'card', 'aria-label': run.label, 'data-run': run.id},
    !isAlone && [
      h('h3', {}, h('a', {href: `#${run.id}`}, run.label)),
      name !== undefined && name !== run.label && h('p', {class: 'muted subtitle'}, name),
    ],
    figuresList(run),
    pieces.length > 0 && [stepBar(run.label, pieces), key(run, pieces)],
    !isAlone &&
      shown.length > 0 &&
      h(
        'div',
        {class: 'own-verdict'},
        shown.map(one => h('p', {}, one.text)),
        rest.length + (verdict?.pointless?.length ?? 0) > 0 &&
          lazyDetails('How sure this is, and what it could not tell', () =>
            sentences({sentences: rest, pointless: verdict?.pointless ?? []}),
          ),
      ),
    pieces.length > 0 && byGroup(run),
  );
}

export function timePart(data: Data): Part | undefined {
  const runs = data.runs ?? [];
  const isAlone = runs.length === 1;
  if (runs.length === 0) return undefined;
  const hasSteps = runs.some(run => stepParts(run).length > 0);
  if (isAlone && !hasSteps && runs[0]!.results.ranks === undefined) return undefined;
  return part(
    'time',
    hasSteps ? 'Where a step’s time goes' : 'At a glance',
    '',
    h(
      'div',
      {class: isAlone ? 'cards alone' : 'cards'},
      runs.map((run, i) => card(run, i, isAlone)),
    ),
  );
}
