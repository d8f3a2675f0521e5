// The ledger: what documents claim, what was found, and what follows.
import type {Claim, ClaimValue, Data} from '../data';
import {h, lazyDetails, select, uniqueId, type Child} from '../dom';
import {plain} from '../format';
import {facts, table} from '../table';
import {part, type Part} from './part';
import {copyable, statusTag} from './rest';

const VERDICTS = ['contradicted', 'conditional', 'reproduced', 'plausible', 'not testable'];
const MARKS: Record<string, string> = {
  contradicted: '✕',
  conditional: '◐',
  reproduced: '✓',
  plausible: '≈',
  'not testable': '–',
};

export function verdictTag(verdict: string): HTMLElement {
  return h(
    'span',
    {class: `tag verdict-${verdict.replaceAll(' ', '-')}`},
    h('span', {'aria-hidden': 'true'}, `${MARKS[verdict] ?? '?'} `),
    verdict,
  );
}

/** In one sentence: what is said, and what there is. */
function plainly(claim: Claim): string {
  const finds: Record<string, string> = {
    run: 'the simulation finds',
    formula: 'arithmetic gives',
    source: 'the source has',
  };
  const found =
    claim.found_text === undefined || claim.found_text === ''
      ? 'that is not so'
      : `${finds[claim.test?.kind ?? ''] ?? 'found was'} ${claim.found_text}`;
  return `The document says ${claim.claimed ?? 'so'}; ${found}.`;
}

function values(all: ClaimValue[]): HTMLElement {
  return table<ClaimValue>(
    'What it was computed from',
    [
      {title: 'Value', cell: row => h('code', {}, row.name)},
      {title: '', cell: row => (row.value === undefined ? '–' : plain(row.value)), isNumber: true},
      {
        title: 'From',
        cell: row =>
          row.path
            ? [row.scenario && `${row.scenario}: `, h('code', {}, row.path)]
            : (row.source ?? '–'),
      },
      {title: 'Status', cell: row => (row.status ? statusTag(row.status) : '–')},
    ],
    all,
  );
}

function evidence(claim: Claim): HTMLElement {
  const rows: [string, Node | string][] = [];
  if (claim.test?.path) rows.push(['Member of the results', h('code', {}, claim.test.path)]);
  if (claim.test?.formula) rows.push(['Formula', h('code', {}, claim.test.formula)]);
  if (claim.test?.otherwise_formula)
    rows.push(['Without the condition', h('code', {}, claim.test.otherwise_formula)]);
  if (claim.primary)
    rows.push([
      'Primary source',
      [
        claim.primary.verdict && `${claim.primary.verdict}: `,
        claim.primary.value,
        claim.primary.source && ` (${claim.primary.source})`,
      ]
        .filter(Boolean)
        .join(''),
    ]);
  if (claim.topic) rows.push(['Topic', claim.topic]);
  return h(
    'div',
    {class: 'evidence'},
    claim.verdict !== 'contradicted' && claim.why && h('p', {}, claim.why),
    rows.length > 0 && facts(rows),
    claim.test?.values && claim.test.values.length > 0 && values(claim.test.values),
    claim.test?.command && copyable(claim.test.command, 'command'),
  );
}

function entry(claim: Claim): HTMLElement {
  return h(
    'li',
    {class: 'claim', 'data-id': claim.id, 'data-verdict': claim.verdict},
    h(
      'details',
      {},
      h(
        'summary',
        {},
        verdictTag(claim.verdict),
        h(
          'span',
          {class: 'claim-text'},
          claim.verdict === 'conditional' ? `${claim.claim}; only ${claim.only_when}` : claim.claim,
          h('small', {}, `document ${claim.document}${claim.section ? `, ${claim.section}` : ''}`),
          claim.verdict === 'contradicted' &&
            h(
              'span',
              {class: 'contradiction'},
              h('b', {class: 'plainly'}, plainly(claim)),
              ' ',
              claim.why,
            ),
          h('span', {class: 'open-hint control'}, 'Evidence'),
        ),
        h(
          'span',
          {class: 'claim-values'},
          h('span', {}, h('small', {}, 'claimed'), claim.claimed ?? '–'),
          h('span', {}, h('small', {}, 'found'), claim.found_text ?? '–'),
          claim.otherwise_text && h('span', {}, h('small', {}, 'else'), claim.otherwise_text),
        ),
      ),
      evidence(claim),
    ),
  );
}

/** Those that are contradicted first; filters and a search above them. */
function ledger(claims: Claim[]): Child {
  const filter = {verdict: '', document: '', topic: '', text: ''};
  const sorted = [...claims].sort(
    (a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict),
  );
  const entries = sorted.map(claim => ({
    claim,
    element: entry(claim),
    text: JSON.stringify(claim).toLowerCase(),
  }));
  const told = h('p', {class: 'note', role: 'status', id: 'claims-told'});
  const show = () => {
    let shown = 0;
    for (const {claim, element, text} of entries) {
      const isKept =
        (filter.verdict === '' || claim.verdict === filter.verdict) &&
        (filter.document === '' || claim.document === filter.document) &&
        (filter.topic === '' || claim.topic === filter.topic) &&
        text.includes(filter.text);
      element.hidden = !isKept;
      shown += isKept ? 1 : 0;
    }
    told.textContent = `${shown} of ${claims.length} claims are shown.`;
  };
  show();
  const options = (pick: (claim: Claim) => string | undefined): [string, string][] => [
    ['', 'all'],
    ...[...new Set(claims.map(pick).filter((v): v is string => !!v))]
      .sort()
      .map((v): [string, string] => [v, v]),
  ];
  const searchId = uniqueId('claims');
  const search = h('input', {
    id: searchId,
    type: 'search',
    oninput: () => ((filter.text = search.value.toLowerCase()), show()),
  });
  return [
    h(
      'div',
      {class: 'controls control'},
      select(
        'Verdict',
        [['', 'all'], ...VERDICTS.map((v): [string, string] => [v, v])],
        '',
        v => ((filter.verdict = v), show()),
      ),
      select(
        'Document',
        options(claim => claim.document),
        '',
        v => ((filter.document = v), show()),
      ),
      select(
        'Topic',
        options(claim => claim.topic),
        '',
        v => ((filter.topic = v), show()),
      ),
      h('label', {class: 'field', for: searchId}, h('span', {}, 'Search'), search),
    ),
    told,
    h(
      'ul',
      {class: 'claims plain'},
      entries.map(({element}) => element),
    ),
  ];
}

export function claimsPart(data: Data): Part | undefined {
  const claims = data.claims ?? [];
  if (claims.length === 0) return undefined;
  const number = (verdict: string) =>
    data.summary?.[verdict] ?? claims.filter(claim => claim.verdict === verdict).length;
  return part(
    'claims',
    'Claims of the documents',
    'What the source documents say in numbers, held against a run.',
    h(
      'ul',
      {class: 'tally', 'aria-label': 'How many of each'},
      VERDICTS.map(verdict =>
        h('li', {}, h('b', {}, String(number(verdict))), verdictTag(verdict)),
      ),
    ),
    lazyDetails(`All ${claims.length} claims, with the evidence under each`, () => ledger(claims)),
  );
}
