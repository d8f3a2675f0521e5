// The glossary, folded.
import type {Data} from '../data';
import {h, lazyDetails} from '../dom';
import {entries} from '../glossary';
import {part, type Part} from './part';
import {searchable} from './search';

export function wordsPart(data: Data): Part | undefined {
  if ((data.runs ?? []).length === 0) return undefined;
  return part(
    'words',
    'Words',
    '',
    lazyDetails(`What ${entries.length} words mean here`, () =>
      searchable(
        entries,
        entry => `${entry.term} ${entry.meaning}`,
        kept =>
          h(
            'dl',
            {class: 'words'},
            kept.map(entry => h('div', {}, h('dt', {}, entry.term), h('dd', {}, entry.meaning))),
          ),
      ),
    ),
  );
}
