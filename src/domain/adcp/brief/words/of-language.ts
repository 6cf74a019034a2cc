/** All that is known of a language, but for its column of subjects.ts. "a|b c" is "a c" and "b c"; "evit*" begins a word. */
export interface Words {
  /** Words without a meaning of their own, by which a language is told from others. */
  readonly common: string
  /** Those that others do not have. */
  readonly letters: RegExp
  /** What words do, by the letters of ../reading/letters.ts. Read in each brief: a short one may be taken for another language. */
  readonly phrases: Readonly<Record<string, string>>
  /** Those that are words of another kind in another language: read in the brief's own, or in all where that is not certain. */
  readonly ownPhrases: Readonly<Record<string, string>>
  /** Before the name of a channel: it is what is advertised ("our podcast"), or somebody's name. */
  readonly owners: string
  /** Names that mean nothing else. Several channels before the colon: any of them will do. */
  readonly channels: string
  /** Names that have one of a channel in them and mean something else. */
  readonly noChannels: string
  /** A format, of social media as well as of online video. */
  readonly videos: string
  /** A format, and less than all that is display. */
  readonly banners: string
  /** "Guaranteed" alone is said of much else. */
  readonly guaranteed: string
  /** Names of countries beside those that the runtime knows. */
  readonly countries: string
  /** Large cities that nothing else is called, by country. */
  readonly cities: string
  readonly beforeCountries: string
  readonly beforeCodes: string
  /** The name stands for another place after these: "New England", "Papua New Guinea". */
  readonly notBeforeCountries: string
  readonly money: MoneyWords
}

/** Parts of regular expressions, for ../reading/money.ts. */
export interface MoneyWords {
  readonly currencies: string
  readonly thousand: string
  /** Between the least and the most. */
  readonly to: string
  readonly cpm: string
  readonly cpc: string
  readonly otherUnit?: string
  /** Money that is not read. */
  readonly other?: string
  /** After an amount: a price for a time or a piece, no budget. */
  readonly rate: string
  /** Before an amount: it is the least. */
  readonly least: string
  /** Before it: what was. */
  readonly past: string
  /** Before it, and before a word: a price for each of something. */
  readonly each: string
  readonly not: string
  /** Also within a word. */
  readonly budgetNouns: string
  /** Right before an amount: it is a budget. Elsewhere it tells what was ("haben wir 2023 für 1.200 Euro gelernt"). */
  readonly has: string
  /** Before an amount: it is a budget. */
  readonly budget: string
  /** Before a number: it can be nothing but money. */
  readonly spends: string
  /** After an amount: it is a budget. */
  readonly afterBudget: string
  readonly about: string
  readonly afterAlone: string
}
