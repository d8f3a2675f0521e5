// Reads numbers out of what people wrote: "38–45 %", "~25,000 A100", "up to 20 %", "300–400 Gb/s".

export interface Range {
  from: number;
  to: number;
}

const NUMBER = String.raw`(\d[\d,]*(?:\.\d+)?)`;
const RANGE = new RegExp(`^(up to |~|<|≤)? ?${NUMBER}(?:[–-]${NUMBER})? ?(.*)$`);

/** The numbers of `text` if their unit begins with `unit`; nothing where it says something else. */
export function readRange(text: string, unit: string): Range | undefined {
  const match = text.trim().match(RANGE);
  if (!match || match[4] !== unit) return undefined;
  const number = (digits: string) => Number(digits.replaceAll(',', ''));
  const first = number(match[2]!);
  return {from: first, to: match[3] === undefined ? first : number(match[3])};
}
