// What may be written at a place of a scenario: sections, keys and values, from the server's list of keys.
import type {Key, Section} from './api';

export interface Offer {
  from: number; // where what is replaced begins
  options: {label: string; apply?: string; detail?: string; info?: string; isKey?: boolean}[];
}

/** The section that the text before a place is in: "transport.dcqcn"; "" before the first. */
export function sectionAt(before: string): string {
  let path = '';
  for (const line of before.split('\n').slice(0, -1)) {
    const found = /^\s*\[\[?\s*([\w.-]+)\s*\]\]?/.exec(line);
    if (found) path = found[1]!;
  }
  return path;
}

function find(sections: Section[], path: string): Section | undefined {
  return (
    sections.find(one => one.path === path) ?? sections.find(one => `job.${one.path}` === path)
  );
}

const quoted = (key: Key, value: string) =>
  /^(integer|number|boolean)/.test(key.type) || value === 'true' || value === 'false'
    ? value
    : `"${value}"`;

function keyNamed(section: Section, name: string, sections: Section[]): Key | undefined {
  const parts = name.split('.');
  const last = parts.pop()!;
  const path = [section.path, ...parts].filter(Boolean).join('.');
  return find(sections, path)?.keys.find(one => one.name === last);
}

function values(key: Key, from: number, line: string): Offer | undefined {
  const list = key.values.length > 0 ? key.values : key.type === 'boolean' ? ['true', 'false'] : [];
  if (list.length === 0) return undefined;
  const open = /["']$/.test(line.slice(0, from)) ? 1 : 0;
  return {
    from: from - open,
    options: list.map(value => ({
      label: value,
      apply: quoted(key, value),
      detail: value === key.default ? 'default' : '',
    })),
  };
}

/** For the text before the cursor; nothing where nothing is known. */
export function offer(before: string, sections: Section[]): Offer | undefined {
  const start = before.lastIndexOf('\n') + 1;
  const line = before.slice(start);
  if (/^\s*#/.test(line)) return undefined;
  const heading = /^\s*(\[\[?)\s*([\w.-]*)$/.exec(line);
  if (heading)
    return {
      from: before.length - heading[2]!.length,
      options: sections
        .filter(one => one.path !== '' && one.is_list === (heading[1] === '[['))
        .map(one => ({label: one.path, detail: '', info: one.help})),
    };
  const section = find(sections, sectionAt(before));
  if (!section) return undefined;
  const value = /^\s*([\w.-]+)\s*=\s*\[?(?:[^\]]*,\s*)?["']?([\w./+ -]*)$/.exec(line);
  if (value) {
    const key = keyNamed(section, value[1]!, sections);
    const offered = key && values(key, line.length - value[2]!.length, line);
    return offered && {...offered, from: start + offered.from};
  }
  const key = /^\s*([\w-]*)$/.exec(line);
  if (!key) return undefined;
  return {
    from: before.length - key[1]!.length,
    options: section.keys.map(one => ({
      label: one.name,
      apply: `${one.name} = `,
      isKey: true,
      detail: one.required ? 'required' : one.default === '' ? '' : one.default,
      info: `${one.help} (${one.type})`,
    })),
  };
}
