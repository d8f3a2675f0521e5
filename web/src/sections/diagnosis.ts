// What is wrong with a cluster: measured curves beside those of causes, causes by score, what speaks for and against them.
import {curveChart} from '../charts/curve';
import type {Cause, Data, Diagnosis} from '../data';
import {h, lazyDetails, type Child} from '../dom';
import {capital, count, seconds, significant} from '../format';
import {table} from '../table';
import {figure, part, type Part} from './part';

const LEAST = 0.01; // scores below are folded, but for the first three
const FIRST = 3;
const MOST = 8;

interface Ranked {
  cause: Cause;
  index: number; // among all causes
}

const MENDED: Record<string, string> = {
  network: 'mended in the network',
  server: 'mended in the servers',
  job: 'mended in the job',
  nothing: 'nothing to mend',
  unknown: 'not known where',
};

/** Prose in a cell is one thing, whatever is marked in it. */
const prose = (text: string): HTMLElement => h('span', {}, text);
const name = (text: string): HTMLElement => h('span', {class: 'cause-name'}, text);

/** A path may be broken behind a slash. */
const place = (where: string): HTMLElement =>
  h(
    'code',
    {class: 'place'},
    where.split(/(?<=\/)/).map((step, i) => [i > 0 && h('wbr'), step]),
  );

function ranked(diagnosis: Diagnosis): Ranked[] {
  return diagnosis.causes.map((cause, index) => ({cause, index}));
}

function isShown({cause, index}: Ranked): boolean {
  return index < MOST && (cause.score >= LEAST || index < FIRST);
}

const score = (diagnosis: Diagnosis, {index}: Ranked): HTMLElement =>
  figure(diagnosis, `causes[${index}].score`, value => (value * 100).toFixed(0));

function curvesPart(diagnosis: Diagnosis): Part | undefined {
  if (diagnosis.curves.length === 0) return undefined;
  return part(
    'curves',
    'Measured and expected',
    'Dots were measured. Lines are what this cluster should do, and what it would do with each of the likeliest causes.',
    diagnosis.curves.map((curve, i) =>
      h(
        'div',
        {class: 'card curve'},
        h('h3', {}, curve.name),
        h(
          'p',
          {class: 'subtitle muted'},
          curve.file,
          curve.ratio > 0 && [
            ', ',
            figure(diagnosis, `curves[${i}].ratio`, v => `${(v * 100).toFixed(0)} %`),
            ' of what is expected',
          ],
          curve.is_assumed && '; ranks or nodes are the scenario’s: no file says them',
        ),
        curve.points.every(point => point.expected_gbs === undefined) &&
          h('p', {class: 'note'}, 'This cannot be predicted for the scenario’s cluster.'),
        curveChart(diagnosis, i),
      ),
    ),
  );
}

/** One cause with a bar as long as its score. */
function causeItem(diagnosis: Diagnosis, one: Ranked): HTMLElement {
  const {cause} = one;
  const isWrong = cause.in !== 'nothing';
  return h(
    'li',
    {'data-cause': cause.id},
    h(
      'div',
      {class: 'cause-score'},
      h('b', {}, score(diagnosis, one)),
      h(
        'span',
        {class: 'track', 'aria-hidden': 'true'},
        h('span', {class: `in-${cause.in}`, style: `width:${Math.min(1, cause.score) * 100}%`}),
      ),
    ),
    h(
      'div',
      {class: 'cause-what'},
      h('p', {}, h('b', {}, cause.id), ': ', cause.what, isWrong && cause.how && ` (${cause.how})`),
      isWrong &&
        lazyDetails('What to do, and how to be sure', () =>
          h(
            'dl',
            {class: 'cause-more'},
            h('dt', {}, 'What to do'),
            h('dd', {}, capital(cause.fix)),
            h('dt', {}, 'To be sure'),
            h('dd', {}, capital(cause.check)),
          ),
        ),
    ),
    h(
      'p',
      {class: 'cause-in'},
      h('span', {class: `swatch in-${cause.in}`}),
      MENDED[cause.in] ?? cause.in,
    ),
  );
}

function unlikely(diagnosis: Diagnosis, rest: Ranked[]): Child {
  if (rest.length === 0) return undefined;
  const title = `${count(rest.length)} ${rest.length === 1 ? 'cause that is' : 'causes that are'} less likely`;
  return lazyDetails(title, () =>
    table(
      title,
      [
        {title: 'Cause', cell: ({cause}) => name(cause.id)},
        {title: 'Score', cell: one => score(diagnosis, one), isNumber: true},
        {title: 'Where', cell: ({cause}) => MENDED[cause.in] ?? cause.in},
        {title: 'What it is', cell: ({cause}) => prose(cause.what)},
      ],
      rest,
    ),
  );
}

function causesPart(diagnosis: Diagnosis): Part | undefined {
  const all = ranked(diagnosis);
  if (all.length === 0) return undefined;
  return part(
    'causes',
    'Causes, the likeliest first',
    'Scores sum to 100. They weigh how well the curve with each cause fits what was measured, what logs, counters and configurations say, and how often causes were met (assumed). They are no probabilities.',
    h(
      'div',
      {class: 'card'},
      h(
        'ol',
        {class: 'causes plain'},
        all.filter(isShown).map(one => causeItem(diagnosis, one)),
      ),
      unlikely(
        diagnosis,
        all.filter(one => !isShown(one)),
      ),
    ),
  );
}

function evidencePart(diagnosis: Diagnosis): Part | undefined {
  const shown = ranked(diagnosis).filter(isShown);
  if (shown.length === 0) return undefined;
  const rows = shown.flatMap(({cause}) => cause.evidence.map(piece => ({cause, piece})));
  return part(
    'evidence',
    'For and against',
    '',
    h(
      'div',
      {class: 'card'},
      rows.length === 0
        ? h(
            'p',
            {},
            'Curves alone were compared: no log, counter or configuration says anything of these causes.',
          )
        : table(
            'What was seen for and against each cause',
            [
              {title: 'Cause', cell: ({cause}) => name(cause.id)},
              {
                title: 'Says',
                cell: ({piece}) =>
                  piece.log_odds > 0
                    ? h('span', {class: 'says-for'}, '▲ for')
                    : h('span', {class: 'says-against'}, '▼ against'),
              },
              {title: 'What was seen', cell: ({piece}) => prose(piece.text)},
              {title: 'Where', cell: ({piece}) => place(piece.where)},
            ],
            rows,
          ),
    ),
  );
}

function oddPart(diagnosis: Diagnosis): Part | undefined {
  if (diagnosis.odd.length === 0) return undefined;
  return part(
    'odd',
    'Who stands out',
    '',
    h(
      'div',
      {class: 'card'},
      table(
        'What differs from its peers',
        [
          {title: 'Name', cell: one => one.name},
          {title: 'What', cell: one => one.what},
          {title: 'How', cell: one => prose(one.how)},
          {title: 'Where', cell: one => place(one.where)},
        ],
        diagnosis.odd,
      ),
    ),
  );
}

function stepsPart(diagnosis: Diagnosis): Part | undefined {
  if (diagnosis.steps.length === 0) return undefined;
  const number = (title: string, member: string, text: (v: number) => string) => ({
    title,
    cell: (i: number) => figure(diagnosis, `steps[${i}].${member}`, text),
    isNumber: true,
  });
  return part(
    'steps',
    'Training steps',
    '',
    h(
      'div',
      {class: 'card'},
      table<number>(
        'Steps of training logs',
        [
          {title: 'Log', cell: i => place(diagnosis.steps[i]!.file)},
          {title: 'Framework', cell: i => diagnosis.steps[i]!.framework},
          number('Steps', 'steps', count),
          number('Median', 'median_s', seconds),
          number('95th percentile', 'p95_s', seconds),
          number('Expected', 'expected_s', seconds),
          number('Of expected', 'ratio', v => `${significant(v, 2)} ×`),
        ],
        diagnosis.steps.map((_step, i) => i),
      ),
    ),
  );
}

function leftOutPart(diagnosis: Diagnosis): Part | undefined {
  const rows: Child[][] = [
    ...diagnosis.skipped.map((one, i): Child[] => [
      place(one.where),
      `: ${one.what}`,
      one.times > 1 && [', ', figure(diagnosis, `skipped[${i}].times`, count), ' times'],
    ]),
    ...diagnosis.unknown_files.map((file): Child[] => [
      place(file),
      ': no reader knows what this is',
    ]),
    ...diagnosis.unknown_collectives.map((name): Child[] => [
      `${name}: this collective is not modelled`,
    ]),
  ];
  if (rows.length === 0) return undefined;
  return part(
    'left-out',
    'What was not read',
    '',
    h(
      'div',
      {class: 'card'},
      h(
        'ul',
        {class: 'plain'},
        rows.map(row => h('li', {}, row)),
      ),
    ),
  );
}

export function diagnosisParts(data: Data): (Part | undefined)[] {
  const {diagnosis} = data;
  if (!diagnosis) return [];
  return [
    curvesPart(diagnosis),
    causesPart(diagnosis),
    evidencePart(diagnosis),
    oddPart(diagnosis),
    stepsPart(diagnosis),
    leftOutPart(diagnosis),
  ];
}
