// Several jobs on one fabric: what sharing costs each, who does what to whom, and where they meet.
import {sharingChart} from '../charts/sharing';
import type {Data, SharedJobs} from '../data';
import {h} from '../dom';
import {bytes, count, percent, seconds} from '../format';
import {table, type Column} from '../table';
import {figure, part, type Part} from './part';

interface Row {
  index: number;
}
const rows = (length: number): Row[] => Array.from({length}, (_, index) => ({index}));

const change = (share: number): string =>
  Math.abs(share) < 0.0005 ? '0 %' : `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;

function numbers<T>(
  found: SharedJobs,
  title: string,
  path: (one: T) => string,
  text: (v: number) => string,
): Column<T> {
  return {title, cell: one => figure(found, path(one), text), isNumber: true};
}

function jobsPart(found: SharedJobs): Part {
  const number = (title: string, member: string, text: (v: number) => string): Column<Row> =>
    numbers(found, title, one => `jobs[${one.index}].${member}`, text);
  const isStaggered = found.jobs.some(job => job.out_of_phase !== undefined);
  return part(
    'jobs-cost',
    'What sharing costs',
    'A turn is a training step, a pass of serving, a collective, or all of a job\u2019s traffic once. Each job goes on until all have had their turns.',
    h(
      'div',
      {class: 'card'},
      sharingChart(found),
      table(
        'Jobs',
        [
          {title: 'Job', cell: one => found.jobs[one.index]!.name},
          {title: 'Turn', cell: one => found.jobs[one.index]!.turn},
          number('GPUs', 'gpus', count),
          {title: 'Servers', cell: one => found.jobs[one.index]!.servers},
          number('Alone', 'alone.mean_s', seconds),
          number('Median', 'together.median_s', seconds),
          number('p99', 'together.p99_s', seconds),
          number('Longer', 'slowdown', change),
          ...(isStaggered ? [number('Out of phase', 'out_of_phase_slowdown', change)] : []),
        ],
        rows(found.jobs.length),
      ),
    ),
  );
}

function matrixPart(found: SharedJobs): Part | undefined {
  if (found.jobs.length < 3 || found.beside.length === 0) return undefined;
  return part(
    'jobs-pairs',
    'Two at a time',
    'How much longer a turn of a job takes beside one other.',
    h(
      'div',
      {class: 'card'},
      table(
        'Who does what to whom',
        [
          {title: 'Job', cell: one => found.jobs[one.index]!.name},
          ...found.jobs.map((job, other): Column<Row> => ({
            title: `Beside ${job.name}`,
            cell: one =>
              one.index === other
                ? '\u2013'
                : figure(found, `beside[${one.index}][${other}]`, change),
            isNumber: true,
          })),
        ],
        rows(found.jobs.length),
      ),
    ),
  );
}

function collectivesPart(found: SharedJobs): Part | undefined {
  const all = found.jobs.flatMap((job, index) =>
    job.collectives.map((op, k) => ({job, index, op, k})),
  );
  if (all.length === 0) return undefined;
  type One = (typeof all)[number];
  const number = (title: string, member: string, text: (v: number) => string): Column<One> =>
    numbers(found, title, one => `jobs[${one.index}].collectives[${one.k}].${member}`, text);
  return part(
    'jobs-collectives',
    'Collectives between scale-up domains',
    'Means of one call, and the longest beside the others.',
    h(
      'div',
      {class: 'card'},
      table(
        'Collectives',
        [
          {title: 'Job', cell: one => one.job.name},
          {title: 'What', cell: one => one.op.name},
          {title: 'Group', cell: one => one.op.group},
          number('Calls', 'calls', count),
          number('Alone', 'alone_s', seconds),
          number('Together', 'together_s', seconds),
          number('Longer', 'slowdown', change),
          number('Longest', 'longest_s', seconds),
        ],
        all,
      ),
    ),
  );
}

function busesPart(found: SharedJobs): Part | undefined {
  const all = found.jobs.map((job, index) => ({job, index})).filter(({job}) => job.busbw);
  if (all.length === 0) return undefined;
  type One = (typeof all)[number];
  const rate = (title: string, member: string): Column<One> =>
    numbers(
      found,
      title,
      one => `jobs[${one.index}].busbw.${member}`,
      v => `${v.toFixed(2)} GB/s`,
    );
  return part(
    'jobs-buses',
    'Bus bandwidth',
    'As nccl-tests count it: busbw, of the mean time of a turn.',
    h(
      'div',
      {class: 'card'},
      table(
        'Bus bandwidth',
        [
          {title: 'Job', cell: one => one.job.name},
          {title: 'Collective', cell: one => one.job.busbw!.collective},
          numbers<One>(found, 'Size', one => `jobs[${one.index}].busbw.size`, bytes),
          rate('Alone', 'alone_gbs'),
          rate('Together', 'together_gbs'),
        ],
        all,
      ),
    ),
  );
}

function messagesPart(found: SharedJobs): Part | undefined {
  const traffic = found.jobs.map((job, index) => ({job, index})).filter(({job}) => job.messages);
  if (traffic.length === 0) return undefined;
  type One = (typeof traffic)[number];
  const number = (title: string, member: string): Column<One> =>
    numbers(found, title, one => `jobs[${one.index}].messages.${member}`, seconds);
  return part(
    'jobs-messages',
    'Messages of traffic',
    'From start to delivery.',
    h(
      'div',
      {class: 'card'},
      table(
        'Messages',
        [
          {title: 'Job', cell: one => one.job.name},
          number('Median alone', 'alone.median_s'),
          number('Together', 'together.median_s'),
          number('p99 alone', 'alone.p99_s'),
          number('Together', 'together.p99_s'),
          number('Slowest alone', 'alone.longest_s'),
          number('Together', 'together.longest_s'),
        ],
        traffic,
      ),
    ),
  );
}

function packetsPart(found: SharedJobs): Part | undefined {
  if (!found.packets) return undefined;
  const all = [
    ...found.jobs.map((job, index) => ({
      who: `${job.name} alone`,
      at: `jobs[${index}].packets_alone`,
    })),
    {who: 'all together', at: 'packets'},
  ];
  type One = (typeof all)[number];
  const number = (title: string, member: string): Column<One> =>
    numbers(found, title, one => `${one.at}.${member}`, count);
  return part(
    'jobs-packets',
    'Packets',
    'Pauses: by PFC, or for want of credits.',
    h(
      'div',
      {class: 'card'},
      table(
        'What switches and NICs saw',
        [
          {title: 'Who', cell: one => one.who},
          number('Marked', 'marked'),
          number('Pauses', 'pauses'),
          number('Dropped', 'dropped'),
          number('Timeouts', 'timeouts'),
        ],
        all,
      ),
    ),
  );
}

function linksPart(found: SharedJobs): Part | undefined {
  if (found.jobs.length < 2) return undefined;
  const tier = (title: string, member: string): Column<Row> =>
    numbers(found, title, one => `tiers[${one.index}].${member}`, count);
  const link = (title: string, member: string, share: (one: Row) => number): Column<Row> => ({
    ...numbers<Row>(found, title, one => `links[${one.index}].${member}`, percent),
    bar: one => ({share: share(one)}),
  });
  return part(
    'jobs-links',
    'Where they meet',
    'Mean use of a link over the run: of each job alone, and of all together.',
    h(
      'div',
      {class: 'card'},
      table(
        'Links by tier',
        [
          {title: 'Tier', cell: one => found.tiers[one.index]!.name},
          tier('Links', 'links'),
          tier('Used', 'used'),
          tier('By several', 'shared'),
        ],
        rows(found.tiers.length),
      ),
      found.links.length > 0 &&
        table(
          'The fullest links of several jobs',
          [
            {title: 'Link', cell: one => found.links[one.index]!.name},
            ...found.jobs.map((job, index) =>
              link(job.name, `alone[${index}]`, one => found.links[one.index]!.alone[index] ?? 0),
            ),
            link('Together', 'together', one => found.links[one.index]!.together),
          ],
          rows(found.links.length),
          {isCaptionShown: true},
        ),
    ),
  );
}

export function jobsParts(data: Data): (Part | undefined)[] {
  const {jobs} = data;
  if (!jobs) return [];
  return [
    jobsPart(jobs),
    matrixPart(jobs),
    collectivesPart(jobs),
    busesPart(jobs),
    messagesPart(jobs),
    packetsPart(jobs),
    linksPart(jobs),
  ];
}
