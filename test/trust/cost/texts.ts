const filled = (unit: string) => (n: number) => unit.repeat(Math.ceil(n / unit.length)).slice(0, n)

/** Words that are all different. */
function words(n: number): string {
  let text = ""
  for (let i = 0; text.length < n; i++) text += `w${i.toString(36)} `
  return text
}

const UNITS = [
  ..."aA0 \n\"'\\,;.-/=&%<[{",
  "é",
  "🎧",
  "a ",
  "a,\n",
  '"",',
  "1,000.",
  "../",
  "a=b; ",
  "a.b.",
  "https://a.example/",
]

const PHRASES = [
  "in Germany ",
  "not podcasts ",
  "15 or 30 sec ",
  "10-20k EUR ",
  "May to June 2027 ",
  "300x250 ",
  "Bearer abcdefgh ",
  "eyJabcdefgh.",
  "abi_abcdefgh ",
]

/** Texts of n characters, each with many of something. */
export const TEXTS: ReadonlyMap<string, (n: number) => string> = new Map([
  ...UNITS.map((unit) => [`many ${JSON.stringify(unit)}`, filled(unit)] as const),
  ["different words", words],
  // What looks for the end of a text, or for another mark, may begin anew at each character.
  ...[...' 0-"\n,./'].map(
    (unit) => [`many ${JSON.stringify(unit)} inside`, (n: number) => `1.${filled(unit)(n)}1`] as const,
  ),
])

/** The same, and what a brief may say many times. */
export const BRIEFS: typeof TEXTS = new Map([
  ...TEXTS,
  ...PHRASES.map((phrase) => [`many ${JSON.stringify(phrase)}`, filled(phrase)] as const),
])

/** n different texts, or n times the same one. */
export const lists = {
  different: <Item>(n: number, item: (i: number) => Item): Item[] =>
    Array.from({ length: Math.ceil(n) }, (_, i) => item(i)),
  repeated: <Item>(n: number, item: (i: number) => Item): Item[] => new Array<Item>(Math.ceil(n)).fill(item(0)),
}
