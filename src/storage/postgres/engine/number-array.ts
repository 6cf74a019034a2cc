/** Numbers as PostgreSQL writes an array of them: a text takes a fraction of the time that the driver needs for a list. */
export function numberArray(numbers: readonly (number | null)[]): string {
  let text = ""
  for (const number of numbers) text += `,${number === null ? "NULL" : number}`
  return `{${text.slice(1)}}`
}
