import type { Item } from "./letters.ts"
import { type Refusals, SIGN } from "./refusals.ts"

/** The channels, countries or cities that a brief names, each once, by how it names them. */
class Names {
  readonly wished = new Set<string>()
  readonly plain = new Set<string>()
  readonly open = new Set<string>()
  readonly doubtful = new Set<string>()
  readonly refused = new Set<string>()

  /** What is wished for in one clause and perhaps refused in another is not sure. */
  get sure(): string[] {
    return [...this.wished].filter((name) => !this.refused.has(name) && !this.doubtful.has(name))
  }

  /** Perhaps wished for. */
  get unsure(): string[] {
    return [...this.plain].filter(
      (name) => !this.refused.has(name) && (!this.wished.has(name) || this.doubtful.has(name)),
    )
  }

  /** Perhaps refused. */
  get doubted(): string[] {
    return [...this.doubtful].filter((name) => !this.refused.has(name) && !this.plain.has(name))
  }
}

export function namesIn(items: readonly Item[], { signs, isWished }: Refusals) {
  const [channels, countries, cities] = [new Names(), new Names(), new Names()]
  const narrow = narrowNames(items, signs)
  for (const [nth, { letter, values }] of items.entries()) {
    if (values.length === 0) continue
    const names = letter === "P" ? countries : letter === "c" ? cities : channels
    const sign = signs[nth] ?? SIGN.plain
    // Banners are less than all that is display.
    const refuses = sign === SIGN.refused && letter !== "B"
    const setOfSign = refuses
      ? names.refused
      : sign >= SIGN.doubtful
        ? names.doubtful
        : sign === SIGN.open
          ? names.open
          : names.plain
    for (const name of meant(values, narrow, refuses)) {
      setOfSign.add(name)
      if (sign === SIGN.plain && isWished[nth] === 1) names.wished.add(name)
    }
  }
  return { channels, countries, cities }
}

function narrowNames(items: readonly Item[], signs: Refusals["signs"]): ReadonlySet<string> {
  const narrow = new Set<string>()
  for (const [nth, { letter, values }] of items.entries())
    if (values.length === 1 && letter !== "P" && letter !== "c" && signs[nth] === SIGN.plain)
      narrow.add(values[0] ?? "")
  return narrow
}

/** "Connected TV, but no TV": what is asked for by a narrower name is not meant by a wider one. "TV spots, linear": nor is more than that. */
function meant(values: readonly string[], narrow: ReadonlySet<string>, refuses: boolean): readonly string[] {
  if (values.length === 1 || !values.some((name) => narrow.has(name))) return values
  return values.filter((name) => narrow.has(name) !== refuses)
}
