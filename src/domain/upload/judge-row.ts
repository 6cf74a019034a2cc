import type { JudgedLine } from "../campaign/package-line.ts"
import { type DeliveryTotal, judge, measuredAt, type Receipt, readItem } from "../delivery/delivery.ts"
import { reasonForPeople } from "../delivery/delivery-reasons.ts"
import { type RowRefusal, refusal, UNKNOWN } from "./row-reader.ts"

/** The total of a row by the rules of the API, or why it is refused. `name` is what the file calls the line. */
export function judgeRow(
  element: Readonly<Record<string, unknown>>,
  line: (JudgedLine & { readonly name?: string }) | undefined,
  name: string,
  receipt: Receipt,
): DeliveryTotal | RowRefusal {
  const item = readItem(element)
  if (item === undefined) {
    const { field, text } = reasonForPeople("invalid_item", { item: element, line })
    const title = field === "package_id" ? "Not a line ID for the API" : "A figure or a day is not valid"
    return refusal(`invalid ${field}`, title, text, name)
  }
  const reason = judge(item, line, receipt)
  if (reason === undefined) return { quantity: item.quantity, asOf: measuredAt(item, receipt) }
  if (reason === "not_seller") return unknownLine(name)
  const { title, text } = reasonForPeople(reason, { item: element, line, receipt }, line?.name ?? name)
  // Of a day in the future there is nothing to say about the line.
  return refusal(reason === "as_of_in_future" ? reason : `${reason} ${name}`, title, text, name, reason)
}

/** `namesakes`: how many lines have the name; null where the file has IDs. */
export function unknownLine(name: string, namesakes: number | null = null): RowRefusal {
  const excerpt = name.replace(/\p{C}/gu, "").slice(0, 60)
  const refused = (title: string, text: string): RowRefusal => ({
    ...refusal(UNKNOWN + name, title, text, name, "not_seller"),
    decide: name === "" ? null : "line",
  })
  if (name === "") return refused("No line given (total row?)", "Each row must say which line it is about.")
  if (namesakes === null)
    return refused(
      `None of your lines has the ID ${excerpt}`,
      "It may belong to another organization, or not exist yet.",
    )
  if (namesakes === 0) return refused(`No line is called “${excerpt}”`, "It may have another name here.")
  // It is about one of them: no row of others, which does not count.
  const title = `${namesakes} lines are called “${excerpt}”: use their IDs`
  return refusal(`several ${name}`, title, "Their name does not tell them apart.", name)
}

/** Why a row is refused that names one line and has the ID of another. */
export function twoLines(named: string, identified: string): RowRefusal {
  const text = `The row says “${named}”, but its ID is that of “${identified}”. Use the column of the IDs, or correct the row.`
  return refusal(`two lines ${named}`, "The ID and the name are of two lines", text, named)
}

/** Why a row is refused that has a figure of a day, and no line: that of a merged cell above, most likely. */
export const NAMES_NOTHING = refusal(
  "names nothing",
  "A row has a figure of a day, but no line",
  "Where a table has the line only in the first of its rows, repeat it in each. If the row is a sum, delete it.",
  "",
)

/** What a row says. */
export type FoundClaim = Readonly<{ row: number; says: string }>

/** Why a line is refused of which two rows give different totals at one moment. */
export function contradiction(line: string, found: readonly [FoundClaim, FoundClaim]): RowRefusal {
  const [first, second] = found.map(({ row, says }) => `${says} in row ${row}`)
  const text =
    `A line has one total at a time, but there are ${first} and ${second}. If they are parts that add up, ` +
    "give each its day and read them as single days. Otherwise leave one of them out."
  return refusal(`several ${line}`, `Two totals of ${line} at the same time`, text, line)
}

/** Why the day of a code is refused that two rows give other figures: whether they add up, somebody has to say. */
export function repeatedDay(code: string, date: string, found: readonly FoundClaim[]): RowRefusal {
  const text = `Rows ${found.map(({ row }) => row).join(" and ")} both have ${code} on ${date}, with other figures. Add them up, or leave one out.`
  return { ...refusal("parts", "A code has several rows for one day", text, code), decide: "parts" }
}

const SUM = /^(?:grand[ -]?|sub[ -]?)?(?:totals?|gesamt(?:summe|ergebnis)?|summen?|insgesamt|somme|suma|sum)[: ]*$/i

/** Why a row does not count that names no line, and says that it is the sum of others; null for any other. `name` is what it names. */
export function sumIn(cells: readonly string[], name: string): RowRefusal | null {
  const text = [name, ...(name === "" ? cells : [])].find((cell) => SUM.test(cell.trim()))
  if (text === undefined) return null
  return { ...refusal(SUM_ROW, "The sum of other rows", "", text.trim(), "total_row"), decide: "sums" }
}

/** The key of rows that are sums. */
export const SUM_ROW = "sum"
