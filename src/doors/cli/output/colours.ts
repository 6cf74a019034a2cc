// The sixteen colours that every terminal theme defines, so that nothing is unreadable on a light or a dark background.
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const

export type Colour = keyof typeof CODES

/** The text in a colour; unchanged where there are no colours. */
export function coloured(text: string, colour: Colour | undefined, hasColours: boolean): string {
  if (colour === undefined || !hasColours || text === "") return text
  const [on, off] = CODES[colour]
  return `\x1b[${on}m${text}\x1b[${off}m`
}

/** Whether to use colours on a terminal: not with NO_COLOR (no-color.org), nor where the terminal has none. */
export function wantsColours(environment: Readonly<Record<string, string | undefined>>): boolean {
  return !environment["NO_COLOR"] && environment["TERM"] !== "dumb"
}
