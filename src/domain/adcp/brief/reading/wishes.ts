// What is told as understood has to be a known wish: refusals have no end of words. In a clause of any other shape a channel or a country is
// quoted, and ranks as if it were asked for. Letters: letters.ts; here what is surely refused is an f, and a city a P.

// One of these makes a clause something else than a wish.
const CUE = /[nNXHASTU]/
const THING = /[CBP]/
// "Channels requested:", "Where:", but not "Channels denied:".
const LABEL = /^(?:f*k|[fpteoamPW]*[KWr][fpteoamPKWr]*)$/
// "For hikers in Kent", "about food and wine": for whom, where, of what.
const AROUND = "(?:[pg][fe]*(?:[twmP]{1,3}|d)?(?:[oa]f*[twP]{1,3})*)*"
/**
 * Nothing but things: "A food newsletter or podcasts for young families in Kent, please", "5,000 EUR for radio", "Podcasts would be great".
 * A word that is not known may stand behind "for" or "about", but not before a channel ("Swap radio") nor right behind it ("Radio Rentals").
 */
const CHANNEL = "[CB]t{0,2}f*"
const CHANNELS = new RegExp(
  `^(?:[fpgteamPdG]|zf*d)*${CHANNEL}(?:[oa][fpte]*${CHANNEL})*${AROUND}(?:[oa][fpte]*${CHANNEL}${AROUND})*(?:[featPdmG]|oP)*(?:z?W)?[fe]*$`,
)
// Things alone may be what the next clause is about: "Radio and print, we shall see", "Belgium, well, another time".
const BARE = /^[fpe]*[CBP]f*(?:[oa]f*[CBP]f*)*$/
// The next clause names other things or an amount, or has a thing of its own behind its cue: "Podcasts, no radio".
const NEXT_IS_ABOUT_ELSE =
  /(?:,f*(?=,))*,b?(?!f*,)(?:[fpteamoCBPdGWKr]*|[fpteamo]*[nNXHS][fpteam]*[CBP][fpteamoCBP]*|[fpw]*d[fptamwoe]*)(?:[.,;?b]|$)/y
const EXCLAIMED = /^[fKwoa]{1,2}$/
// What is asked or told of a list: "Radio, print: been there".
const ASKED_OF = /(?:,[fpteoa]*[CB][tf]*)*(?:[oa][fpte]*[CB][tf]*)*[:?]/y
// "Poland, any, dropped": nothing in the clause that the word of refusal could mean, so that it may mean all of the sentence.
const BARE_CUE = /(?:[^.;i]*[,:?b])?[^wCBPdt.;i,:?bnNXHASTU]*[nNXHASTU][^wCBPdt.;i,:?b]*(?:[,.;:?i]|$)/y
// "Do we need TV? I doubt it."
const DOUBTED = /[^.;i?]*\?[^.;i?CBPnNXHASTU]*[nNXHASTU][^.;i?CBP]*(?:[.;i]|$)/y
// Right before a country, or a channel: one of the same list.
const LISTED = /P(?:[oaf]*|,[oa]?)$/
const LISTED_CHANNEL = /[CB][tf]*[oa][fpte]*$/
const LIST_LETTERS = 8
const CLAUSE = /[^.,:;bi?]*/y

/** What the clauses of a list belong to: to nothing, to a label of what is asked for ("Channels:"), or to any other ("Client:"). */
type Scope = "free" | "asked" | "other"

interface Clause {
  readonly letters: string
  readonly from: number
  /** Whether it can be said of its things that they are wished for, if nothing in the clause says so. */
  readonly mayBeBare: boolean
  readonly scope: Scope
  /** Whether the sentence has told before where something comes from. */
  readonly hasOrigin: boolean
}

/** Which letters are surely wished for: 1 for these. `written` tells videos from channels, `isIn` the places that stand behind "in". */
export function wishesIn(letters: string, written: string, isIn: (nth: number) => boolean): Uint8Array {
  const isWished = new Uint8Array(letters.length)
  for (const clause of clausesIn(letters)) {
    const isAll =
      clause.scope === "asked" || (clause.scope === "free" && clause.mayBeBare && isChannels(letters, clause))
    for (const { index, 0: letter } of clause.letters.matchAll(/[CBP]/g)) {
      const at = clause.from + index
      if (letter === "P") {
        // Of a list all are meant, or none.
        const before = letters.slice(Math.max(0, at - LIST_LETTERS), at)
        const list = LISTED.exec(before)
        const isSure =
          list === null ? isPlace(clause, index, isIn(at)) : isWished[at - before.length + list.index] === 1
        isWished[at] = Number(isSure)
      } else {
        const isSure = isChannel(clause, index, isAll)
        // Where a video is shown has to be said.
        isWished[at] = Number(isSure && (written[at] !== "D" || clause.scope === "asked"))
      }
    }
  }
  return isWished
}

/** The clauses without a cue, in sentences of which nothing refuses all. */
function* clausesIn(letters: string): Generator<Clause> {
  let [scope, ofList]: [Scope, Scope | undefined] = ["free", undefined]
  // Whether the sentence tells something that is no wish ("The usual suspects were there, radio and print"), refuses a thing, or all of it.
  let [isTold, isRefusing, isLost, hasOrigin, isFirst] = [false, false, false, false, false]
  let before = ""
  for (let from = 0; from < letters.length; ) {
    CLAUSE.lastIndex = from
    const clause = CLAUSE.exec(letters)?.[0] ?? ""
    const sign = letters[from - 1] ?? "."
    if (/[.?;ib]/.test(sign)) [isTold, isRefusing] = [false, false]
    if (/[.?;i]/.test(sign)) hasOrigin = false
    if (/[.?;i]/.test(sign)) isLost = startsAt(BARE_CUE, letters, from) || startsAt(DOUBTED, letters, from)
    if (/[.?]/.test(sign)) [scope, ofList] = ["free", undefined]
    else if (sign === ":") scope = scopeOf(before)
    else if (sign === "i") {
      ofList ??= before === "" ? "free" : scopeOf(before)
      scope = ofList
    }
    const said = wholeOrLeft(clause)
    const hasCue = CUE.test(said)
    const end = from + clause.length
    // "Ah yes, podcasts, what an idea": an exclamation begins no sentence.
    isFirst = /[.?;]/.test(sign) || (isFirst && sign === "," && EXCLAIMED.test(before))
    const isSaidOf = isFirst && letters[end] === "," && BARE.test(clause) && !startsAt(NEXT_IS_ABOUT_ELSE, letters, end)
    if (!hasCue && !isLost)
      yield { letters: said, from, scope, hasOrigin, mayBeBare: !isTold && !isRefusing && !isSaidOf }
    isTold ||= /[zk]/.test(clause) && !/[Wrd]/.test(clause)
    isRefusing ||= hasCue && THING.test(clause)
    hasOrigin ||= clause.includes("g")
    before = clause
    from = end + 1
  }
}

/** "Print instead of radio": what is before such a word is not meant by it. */
function wholeOrLeft(clause: string): string {
  const at = clause.search(/X.*[CBPwt]/)
  return at > 0 && !CUE.test(clause.slice(0, at)) ? clause.slice(0, at) : clause
}

function scopeOf(label: string): Scope {
  // "Neither radio nor print: newsletters".
  if (/^f*$/.test(label)) return "free"
  return LABEL.test(label) ? "asked" : "other"
}

const isChannels = (letters: string, { letters: clause, from }: Clause) =>
  CHANNELS.test(clause) && !startsAt(ASKED_OF, letters, from + clause.length)

/**
 * By what stands before it in its clause, or with all of it. "Looking for radio repairs" is another thing, and in "a newsletter for lovers of
 * cinema" only the first one is meant.
 */
function isChannel({ letters }: Clause, at: number, isAll: boolean): boolean {
  const left = letters.slice(0, at)
  if (left.includes("k")) return false
  const wish = Math.max(left.lastIndexOf("W"), left.lastIndexOf("r"))
  const near = left.slice(wish + 1)
  const isFirst = !/[CB]/.test(near) || LISTED_CHANNEL.test(near.slice(-LIST_LETTERS))
  return isAll || (wish >= 0 && isFirst && letters[at + 1] !== "w")
}

/** "Hikers in Spain", "we want UK readers"; beside a word that is not known only "growers in Spain", with nothing behind it. */
function isPlace({ letters, scope, mayBeBare, hasOrigin }: Clause, at: number, isIn: boolean): boolean {
  const left = letters.slice(0, at)
  const isWanted = /[Wr]/.test(left)
  const isPlain = scope === "asked" || (scope === "free" && mayBeBare && !hasOrigin)
  if (!isWanted && !isPlain) return false
  const near = left.slice(left.lastIndexOf("W") + 1)
  const isLast = !/[wzk]/.test(letters.slice(at))
  // Of those that are wished for: "we want to reach people who live in Kent".
  if (/[zk]/.test(near)) return isLast && isIn && isWanted
  const unknown = near.split("w").length - 1
  if (unknown > 0) return isLast && (isWanted || (isIn && unknown === 1)) && !letters.slice(at).includes("t")
  return isLast || /[CBdWr]/.test(left)
}

function startsAt(shape: RegExp, letters: string, at: number): boolean {
  shape.lastIndex = at
  return shape.test(letters)
}
