// Numbers as people read them. Units are scaled here; nothing is computed.

/** Four significant digits, as the terminal prints them, with thousands set apart. */
export function significant(value: number, digits = 4): string {
  if (value === 0) return '0';
  const magnitude = Math.abs(value);
  if (magnitude >= 10 ** digits) return count(value);
  if (magnitude < 1e-3)
    return value
      .toExponential(Math.max(0, digits - 2))
      .replace('e-', ' × 10⁻')
      .replace(
        /⁻(\d+)$/,
        (_m, d: string) => '⁻' + [...d].map(c => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]).join(''),
      );
  return String(Number(value.toPrecision(digits)));
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** For ticks: 2M, 4.5G. */
export function short(value: number): string {
  const step = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ].find(([least]) => Math.abs(value) >= Number(least));
  return step ? `${significant(value / Number(step[0]), 3)}${step[1]}` : significant(value, 3);
}

function scaled(value: number, units: [number, string][], digits = 4): string {
  if (value === 0) return `0 ${units[units.length - 1]![1]}`;
  const magnitude = Math.abs(value);
  const [scale, unit] =
    units.find(([least]) => magnitude >= least * 0.99995) ?? units[units.length - 1]!;
  return `${significant(value / scale, digits)} ${unit}`;
}

export const seconds = (value: number): string =>
  value === 0
    ? '0'
    : scaled(value, [
        [1, 's'],
        [1e-3, 'ms'],
        [1e-6, 'µs'],
        [1e-9, 'ns'],
      ]);
export const microseconds = (value: number): string => seconds(value * 1e-6);
/** For ticks of an axis that goes up to `most`: all in one unit. */
export function microsecondsTicks(most: number): (value: number) => string {
  const [scale, unit] = most >= 2e6 ? [1e-6, 's'] : most >= 2e3 ? [1e-3, 'ms'] : [1, 'µs'];
  return value => `${significant(value * scale)} ${unit}`;
}
const BYTES: [number, string][] = [
  [1e15, 'PB'],
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
  [1, 'B'],
];
const BINARY: [number, string][] = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
];
/** Whether a size is told whole with two decimals of its largest unit. */
function isRound(value: number, units: [number, string][]): boolean {
  const [scale] = units.find(([least]) => value >= least) ?? units[units.length - 1]!;
  return Number.isInteger((value / scale) * 100);
}
/** As the terminal prints sizes: "2.5 MiB", or "2 MB" where that is the rounder name. */
export function bytes(value: number): string {
  const whole = Math.round(value);
  if (Math.abs(whole) < 1024) return `${whole} B`;
  if (isRound(whole, BINARY)) return scaled(whole, BINARY);
  if (whole < 10_000 && whole % 100 !== 0) return `${count(whole)} B`;
  return scaled(whole, isRound(whole, BYTES) ? BYTES : BINARY);
}
/** For ticks, in the units that sizes are told in. */
export function bytesRounded(value: number): string {
  return Math.abs(value) < 1024 ? `${Math.round(value)} B` : scaled(value, BINARY, 3);
}
/** Steps of an axis of bytes: powers of two, which read as whole numbers of KiB, MiB and GiB. */
export const BYTE_STEPS: number[] = Array.from({length: 51}, (_unused, i) => 2 ** i);
/** About as many ticks from 0 to `most`, at such steps. */
export function byteTicks(most: number, about: number): number[] {
  const step = BYTE_STEPS.find(one => one * about >= most) ?? most;
  return Array.from({length: Math.floor(most / step) + 1}, (_unused, i) => i * step);
}
export const gbps = (value: number): string =>
  Math.abs(value) >= 1e7
    ? `${significant(value / 1e6)} Pb/s`
    : Math.abs(value) >= 1e4
      ? `${significant(value / 1e3)} Tb/s`
      : `${significant(value)} Gb/s`;
export const gib = (value: number): string => `${significant(value)} GiB`;

export function percent(value: number): string {
  const hundred = value * 100;
  return `${Math.abs(hundred) < 0.1 && hundred !== 0 ? significant(hundred, 2) : hundred.toFixed(1)} %`;
}

export const times = (value: number): string => `${significant(value, 3)} ×`;
export const plain = (value: number): string =>
  Number.isInteger(value) ? count(value) : significant(value);

/** "all_gather" as "all-gather", "scale_out" as "scale out". */
export function words(name: string): string {
  const primitives: Record<string, string> = {
    all_reduce: 'all-reduce',
    all_gather: 'all-gather',
    all_to_all: 'all-to-all',
    reduce_scatter: 'reduce-scatter',
  };
  return name
    .replace(/all_reduce|all_gather|all_to_all|reduce_scatter/g, m => primitives[m]!)
    .replaceAll('_', ' ');
}

export function capital(text: string): string {
  return text === '' ? text : text[0]!.toUpperCase() + text.slice(1);
}

/** A member's value by the unit in its name: "paused_us", "sent_bytes", "mean_utilisation". */
export function byName(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (typeof value !== 'number')
    return Array.isArray(value)
      ? value.map(item => byName(name, item)).join(', ')
      : JSON.stringify(value);
  if (/(_s|^s)$/.test(name)) return seconds(value);
  if (name.endsWith('_us')) return microseconds(value);
  if (name.endsWith('bytes') || name === 'size') return bytes(value);
  if (name.endsWith('_gbps')) return gbps(value);
  if (name.endsWith('_gib')) return gib(value);
  if (/share|utilisation|^idle$|^of_bound$|^mfu/.test(name)) return percent(value);
  return plain(value);
}

/** The same by a path: "breakdown.exposed_s.tensor" is in seconds. */
export function byPath(path: string, value: unknown): string {
  const steps = path
    .replace(/\[\d+\]/g, '')
    .split('.')
    .reverse();
  return byName(steps.find(step => byName(step, 0.5) !== plain(0.5)) ?? '', value);
}

/** The name of a member as the head of a column: without its unit. */
export function heading(name: string): string {
  return capital(words(name.replace(/_(s|us|bytes|gbps|gib|gbs)$/, '')));
}
