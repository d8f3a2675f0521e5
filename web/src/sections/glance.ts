// The comparison at a glance: a card per run, then the tables.
import type {Data, Run, Table} from '../data';
import {h, type Child} from '../dom';
import {capital, count, percent, seconds, microseconds, gbps} from '../format';
import {partsBar} from '../charts/spans';
import {parts} from './breakdown';
import type {Explanations} from './explain';
import {figure, part, type Part} from './part';

/** The few numbers a run is known by, whatever kind it is. */
export function keyFigures(run: Run): [string, Child, string?][] {
  const r = run.results;
  const out: [string, Child, string?][] = [];
  if (r.step_time_s !== undefined) out.push(['Step time', figure(r, 'step_time_s', seconds)]);
  if (r.mfu) out.push(['MFU', figure(r, 'mfu.causal', percent), 'causal attention']);
  if (r.breakdown?.shares) {
    out.push(['Exposed comm.', figure(r, 'breakdown.shares.exposed', percent), 'of the step']);
    out.push(['Bubble', figure(r, 'breakdown.shares.bubble', percent), 'of the step']);
  }
  if (r.tokens_per_s_per_gpu !== undefined)
    out.push(['Tokens', figure(r, 'tokens_per_s_per_gpu', count), 'per second and GPU']);
  if (r.flows?.fct_us) {
    out.push(
      ['Completion, mean', figure(r, 'flows.fct_us.mean', microseconds)],
      ['Completion, p99', figure(r, 'flows.fct_us.p99', microseconds)],
    );
  }
  if (typeof (r as {goodput_gbps?: number}).goodput_gbps === 'number')
    out.push(['Goodput', figure(r, 'goodput_gbps', gbps), 'all receivers']);
  if (r.points && r.points.length > 0) {
    const last = r.points.length - 1;
    out.push(
      ['Time', figure(r, `points[${last}].time_us`, microseconds), 'largest size'],
      [
        'Bus bandwidth',
        figure(r, `points[${last}].busbw_gbs`, v => `${v.toFixed(2)} GB/s`),
        'largest size',
      ],
      ['Of the bound', figure(r, `points[${last}].of_bound`, percent), 'largest size'],
    );
  }
  if (r.ranks !== undefined) out.push(['GPUs', figure(r, 'ranks', count)]);
  return out;
}

export function figuresList(run: Run): HTMLElement {
  return h(
    'dl',
    {class: 'figures'},
    keyFigures(run).map(([name, value, note]) =>
      h(
        'div',
        {},
        h('dt', {}, name),
        h('dd', {}, value, note !== undefined && h('small', {}, note)),
      ),
    ),
  );
}

function card(run: Run, open: (id: string) => void): HTMLElement {
  const {breakdown} = run.results;
  return h(
    'article',
    {class: 'card', 'aria-label': run.label},
    h(
      'h3',
      {},
      h(
        'a',
        {href: `#${run.id}`, onclick: event => (event.preventDefault(), open(run.id))},
        run.label,
      ),
    ),
    figuresList(run),
    breakdown &&
      partsBar(
        parts(breakdown),
        `Where the step of ${run.label} goes: ${parts(breakdown)
          .map(p => `${p.name} ${p.text}`)
          .join(', ')}`,
      ),
  );
}

function tableElement(item: Table, explanations: Explanations): HTMLElement {
  const side = (i: number) => (item.columns[i]?.align === 'right' ? 'r' : null);
  return h(
    'div',
    {class: item.columns.length > 5 ? 'table-block broad' : 'table-block', id: `table-${item.id}`},
    h('h3', {id: `table-${item.id}-title`}, item.title),
    h(
      'div',
      {class: 'scroll', tabindex: 0, role: 'region', 'aria-labelledby': `table-${item.id}-title`},
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            item.columns.map((column, i) =>
              h('th', {scope: 'col', class: side(i)}, capital(column.title)),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          item.rows.map(row =>
            h(
              'tr',
              {},
              row.cells.map((cell, i) =>
                i === 0
                  ? h('th', {scope: 'row', class: side(i)}, explanations.cell(cell.text, cell.key))
                  : h('td', {class: side(i)}, explanations.cell(cell.text, cell.key)),
              ),
            ),
          ),
        ),
      ),
    ),
    item.note !== undefined && item.note !== '' && h('p', {class: 'note'}, item.note),
  );
}

/** Nothing for a single run: its own section says the same. */
export function glance(
  data: Data,
  explanations: Explanations,
  open: (id: string) => void,
): Part | undefined {
  const runs = data.runs ?? [];
  const tables = data.tables ?? [];
  if (runs.length < 2 && tables.length === 0) return undefined;
  const legend = partsLegend(runs);
  const hint =
    (data.explanations ?? []).length > 0
      ? 'A number that is underlined says where it comes from.'
      : '';
  const links = tables.map((item): [string, string] => [`table-${item.id}`, item.title]);
  return {
    ...part(
      'glance',
      'At a glance',
      hint,
      h(
        'div',
        {class: 'cards'},
        runs.map(run => card(run, open)),
      ),
      legend,
      h(
        'div',
        {class: 'tables'},
        tables.map(item => tableElement(item, explanations)),
      ),
    ),
    links,
  };
}

/** The colours of all bars, once. */
function partsLegend(runs: Run[]): HTMLElement | null {
  const seen = new Map<string, string>();
  for (const run of runs)
    if (run.results.breakdown)
      for (const p of parts(run.results.breakdown)) seen.set(p.name, p.color);
  return seen.size === 0
    ? null
    : h(
        'ul',
        {class: 'legend', 'aria-label': 'Colours of the bars'},
        [...seen].map(([name, color]) =>
          h('li', {}, h('span', {class: 'swatch', style: `background:${color}`}), name),
        ),
      );
}
