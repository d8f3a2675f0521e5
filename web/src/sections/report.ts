// A report as it is printed: its sentences, its tables, and bars for what people would rather see than read.
import {responseChart} from '../charts/response';
import {surfaceChart} from '../charts/surface';
import type {Data, PrintedReport, PrintedTable, PrintedText} from '../data';
import {h, type Child} from '../dom';
import {table, type Column} from '../table';
import {part, type Part} from './part';

const isTable = (block: PrintedText | PrintedTable): block is PrintedTable => 'rows' in block;

function printedTable(caption: string, block: PrintedTable): HTMLElement {
  const columns = block.header.map((title, i): Column<string[]> => ({
    title,
    cell: row => row[i] ?? '',
    isNumber: block.right[i] ?? false,
  }));
  return table(caption, columns, block.rows);
}

type Bars = PrintedReport['bars'][number];
type Bar = Bars['bars'][number];

function barsTable(group: Bars, path: string): HTMLElement {
  const most = Math.max(...group.bars.map(bar => bar.value));
  const columns: Column<Bar>[] = [
    {title: '', cell: bar => (bar.marked ? h('strong', {}, bar.label) : bar.label)},
    {
      title: group.unit,
      cell: bar =>
        h(
          'data',
          {value: bar.value, 'data-path': `${path}.bars[${group.bars.indexOf(bar)}].value`},
          bar.text,
        ),
      isNumber: true,
      bar: bar => ({
        share: bar.value / most,
        color: bar.marked ? 'var(--c-line-1)' : 'var(--c-plain-bar)',
      }),
    },
  ];
  return table(group.title, columns, group.bars, {isCaptionShown: true, className: 'bars'});
}

/** A part for every section; those without a title belong to the one before. */
export function reportParts(data: Data): Part[] {
  const report = data.report;
  if (!report) return [];
  const groups: {title: string; content: Child[]}[] = [{title: 'The answer', content: []}];
  report.sections.forEach(section => {
    if (section.title !== '') groups.push({title: section.title, content: []});
    const into = groups[groups.length - 1]!.content;
    for (const block of section.blocks)
      into.push(
        isTable(block)
          ? printedTable(section.title || 'The answer', block)
          : h('p', {}, block.text),
      );
  });
  const drawn = report.bars
    .map((group, i) => (group.bars.length > 1 ? barsTable(group, `report.bars[${i}]`) : undefined))
    .filter((one): one is HTMLElement => one !== undefined);
  const parts = groups
    .filter(group => group.content.length > 0)
    .map((group, i) => part(`part-${i + 1}`, group.title, '', ...group.content));
  if (drawn.length > 0) parts.splice(1, 0, part('bars', 'At a glance', '', ...drawn));
  const curves = (report.curves ?? []).map((curve, i) =>
    responseChart(curve, `report.curves[${i}]`),
  );
  if (curves.length > 0) parts.splice(1, 0, part('curves', 'How it answers', '', ...curves));
  if (report.map)
    parts.splice(1, 0, part('map', 'What matters most', '', surfaceChart(report.map)));
  return parts;
}
