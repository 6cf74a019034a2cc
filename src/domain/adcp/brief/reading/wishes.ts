// A channel is told as understood where its clause can be nothing but a wish. Refusals have no end of words, so it is the wishes that have
// to be known: a clause of any other shape is quoted. Letters: letters.ts.

// One of these makes a clause something else than a wish.
const CUE = /[nNXHASTU]/
// "We need podcasts", "rather newsletters".
const WISHED = /[Wr]/
// "Channels requested:", but not "Channels denied:".
const LABEL = /^[fpteoamPW]*[KWr][fpteoamPKWr]*$/
// "For hikers in Kent", "about food and wine": for whom, where, of what.
const AROUND = "(?:p[fe]*(?:[twmP]{1,3}|d)?(?:[oa]f*[twP]{1,3})*)*"
/**
 * Nothing but things: "A food newsletter or podcasts for young families in Kent, please", "5,000 EUR for radio", "Podcasts would be great".
 * A word that is not known may stand behind "for" or "about", but not before a channel ("Swap radio") nor right behind it ("Radio Rentals").
 */
const THING = "[CB]t{0,2}f*"
const BARE = new RegExp(
  `^(?:[fpteamPdG]|zf*d)*${THING}(?:[oa][fpte]*${THING})*${AROUND}(?:[oa][fpte]*${THING}${AROUND})*(?:[featPdmG]|oP)*(?:z?W)?[fe]*$`,
)
// "Radio, we shall see": said of the one thing before it.
const ONE = /^[fpe]*[CB]f*$/
const SAID = /,[fpe]*(?:[wt]?[zk]|[wt][fwtpe]*(?:[.?;]|$))/y
// What is asked or told of a list: "Radio, print: been there".
const ASKED_OF = /(?:,[fpteoa]*[CB][tf]*)*(?:[oa][fpte]*[CB][tf]*)*[:?]/y
const CLAUSES = /[^.,:;bi?]*/y

/** What the clauses of a list belong to: to nothing, to a label of what is asked for ("Channels:"), or to any other ("Client:"). */
type Scope = "free" | "asked" | "other"

/** Which letters are surely wished for: 1 for these. Channels, and countries under no other label. `written` tells videos from channels. */
export function wishesIn(letters: string, written: string): Uint8Array {
  const isWished = new Uint8Array(letters.length)
  let [scope, ofList]: [Scope, Scope | undefined] = ["free", undefined]
  // Whether the sentence tells something that is no wish: "The usual suspects were there, radio and print".
  let isTold = false
  let before = ""
  for (let at = 0; at < letters.length; ) {
    CLAUSES.lastIndex = at
    const clause = CLAUSES.exec(letters)?.[0] ?? ""
    const end = at + clause.length
    const sign = letters[at - 1] ?? "."
    if (/[.?;ib]/.test(sign)) isTold = false
    if (/[.?]/.test(sign)) [scope, ofList] = ["free", undefined]
    else if (sign === ":") scope = scopeOf(before)
    else if (sign === "i") {
      ofList ??= before === "" ? "free" : scopeOf(before)
      scope = ofList
    }
    const isSaidOf = ONE.test(clause) && /[.?]/.test(sign) && startsAt(SAID, letters, end)
    const mayBeBare = scope === "free" && !isTold && !isSaidOf && !startsAt(ASKED_OF, letters, end)
    const said = wholeOrLeft(clause)
    const isAll = scope === "asked" || (mayBeBare && BARE.test(said))
    // Where a video is shown has to be said.
    for (const { index, 0: letter } of clause.matchAll(/[CBP]/g))
      if (
        letter === "P"
          ? scope !== "other"
          : isWish(said, index, isAll) && (scope === "asked" || written[at + index] !== "D")
      )
        isWished[at + index] = 1
    isTold ||= /[zk]/.test(clause) && !/[Wrd]/.test(clause)
    before = clause
    at = end + 1
  }
  return isWished
}

function scopeOf(label: string): Scope {
  // "Neither radio nor print: newsletters".
  if (CUE.test(label) && /[CB]/.test(label)) return "free"
  return LABEL.test(label) ? "asked" : "other"
}

function startsAt(shape: RegExp, letters: string, at: number): boolean {
  shape.lastIndex = at
  return shape.test(letters)
}

/** A channel, by what stands before it in a clause without a cue, or with the whole clause. */
function isWish(clause: string, at: number, isAll: boolean): boolean {
  const left = clause.slice(0, at)
  return at < clause.length && !CUE.test(clause) && !left.includes("k") && (isAll || WISHED.test(left))
}

/** "Print instead of radio": what is before such a word is not meant by it. */
function wholeOrLeft(clause: string): string {
  const at = clause.search(/X.*[CBPwt]/)
  return at > 0 && !CUE.test(clause.slice(0, at)) ? clause.slice(0, at) : clause
}
