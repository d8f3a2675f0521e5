// What should change, ranked by what a rerun gained.
import type {Advice, Data} from '../data';
import {h, lazyDetails} from '../dom';
import {capital, percent, seconds} from '../format';
import type {Explanations} from './explain';
import {part, type Part} from './part';
import {copyable} from './rest';

const SHOWN = 6; // the rest is folded

/** As the terminal prints it; where the document has no text, from its number by the same rules. */
function gainText({gain_text: text, gain, of_step}: Advice): string {
  if (text !== undefined) return text;
  const share = of_step ?? gain;
  return `${share > 0 ? '+' : ''}${percent(share)}`;
}

/** "Do not: …", "Cheaper: …", or the change itself. */
function title({change, keeps, cheaper}: Advice): string {
  return keeps ? `Do not: ${change}` : cheaper ? `Cheaper: ${change}` : capital(change);
}

/** What is known about it beside the gain: before and after, how sure, what it costs. */
function notes(advice: Advice): HTMLElement {
  const rows: [string, string | undefined][] = [
    [
      capital(advice.metric ?? 'step'),
      advice.before_s === undefined || advice.after_s === undefined
        ? undefined
        : `${seconds(advice.before_s)} → ${seconds(advice.after_s)}`,
    ],
    ['How sure', advice.confidence],
    ['Cost', advice.cost_text ?? (advice.cheaper ? 'less than now' : undefined)],
  ];
  return h(
    'dl',
    {class: 'advice-notes'},
    rows
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

function card(advice: Advice, label: string | undefined, explanations: Explanations): HTMLElement {
  const gain = explanations.cell(gainText(advice), advice.key);
  return h(
    'li',
    {class: advice.keeps ? 'advice keeps' : 'advice', 'data-rank': advice.rank},
    h(
      'div',
      {class: 'advice-head'},
      h(
        'div',
        {},
        h('p', {class: 'muted'}, label !== undefined && h('b', {}, label, ': '), advice.kind),
        h('h3', {}, title(advice)),
      ),
      h('p', {class: 'gain'}, gain),
    ),
    notes(advice),
    copyable(advice.command, `command of advice ${advice.rank}`),
    advice.text !== undefined &&
      lazyDetails('In words', () => h('p', {class: 'note'}, advice.text)),
  );
}

export function advicePart(data: Data, explanations: Explanations): Part | undefined {
  const advice = (data.advice ?? [])
    .map((one, i) => ({...one, rank: one.rank ?? i + 1}))
    .sort((a, b) => a.rank - b.rank);
  if (advice.length === 0) return undefined;
  const runs = data.runs ?? [];
  const labels = new Map(runs.map(run => [run.id, run.label]));
  const labelOf = (one: Advice) =>
    runs.length === 1 ? undefined : (labels.get(one.run) ?? one.run);
  const list = (all: Advice[]) =>
    h(
      'ol',
      {class: 'plain advice-list'},
      all.map(one => card(one, labelOf(one), explanations)),
    );
  const gains = advice.filter(one => !one.keeps);
  const keeps = advice.filter(one => one.keeps);
  const more = gains.slice(SHOWN);
  return part(
    'advice',
    'What should change',
    'Each gain was measured by running the scenario again with that one change.',
    gains.length > 0
      ? list(gains.slice(0, SHOWN))
      : h('p', {}, 'Nothing that was tried makes it faster.'),
    more.length > 0 && lazyDetails(`${more.length} more that gain less`, () => list(more)),
    keeps.length > 0 &&
      lazyDetails(`${keeps.length} that were tried and cost something: keep what is there`, () =>
        list(keeps),
      ),
  );
}
