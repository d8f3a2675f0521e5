// Reads a figure of the page back into a number, by rules of its own: what the page formats, this must find again.

const SCALE = {
  s: 1,
  ms: 1e-3,
  µs: 1e-6,
  ns: 1e-9,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  PB: 1e15,
  '%': 0.01,
  'Gb/s': 1,
  'Tb/s': 1e3,
  'Pb/s': 1e6,
  'GB/s': 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  '×': 1,
  '': 1,
};

/** Follows "points[3].time_us". */
export function lookUp(value, path) {
  return path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((here, step) => here?.[step], value);
}

/** What `text` says, in the unit of the member at `path`, and how far it may be off `value` by rounding. */
export function readFigure(path, text, value) {
  const match = text.trim().match(/^([−+-]?[\d,]+(?:\.\d+)?)(?: × 10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+))? ?(\S*)$/);
  if (!match || !(match[3] in SCALE)) throw new Error(`${path}: cannot read "${text}"`);
  const power =
    match[2] === undefined ? 0 : Number([...match[2]].map(c => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c)).join(''));
  const unit = /_us(\.|$)/.test(path)
    ? 1e-6
    : /_gib(\.|$)/.test(path)
      ? 2 ** 30
      : /\.score$/.test(path)
        ? 100 // told of 100
        : 1;
  const scale = (SCALE[match[3]] * 10 ** -power) / unit;
  const digits = match[1].split('.')[1]?.length ?? 0;
  const isFixed = match[3] === '%' || match[3] === '×' || match[3] === '' || match[3] === 'GB/s';
  const tolerance = Math.max(
    Math.abs(value) * 5.1e-4,
    isFixed ? 0.5001 * 10 ** -digits * scale : 0,
  );
  return {shown: Number(match[1].replaceAll(',', '').replace('−', '-')) * scale, tolerance};
}
