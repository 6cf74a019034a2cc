import { lists } from "./texts.ts"

// Bodies with n of something: n fields and parts of forms; otherwise about n characters.

const URLENCODED = "application/x-www-form-urlencoded"
const MULTIPART = "multipart/form-data; boundary=b"
const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`

export interface FormBody {
  readonly type: string
  readonly of: (n: number) => string
}

const joined = (of: (i: number) => string, list = lists.different): FormBody => ({
  type: URLENCODED,
  of: (n) => list(n, of).join("&"),
})
const parts = (of: (n: number) => string): FormBody => ({ type: MULTIPART, of: (n) => `${of(n)}--b--\r\n` })

export const FORMS: ReadonlyMap<string, FormBody> = new Map([
  ["different names", joined((i) => `f${i}=`)],
  ["one name", joined(() => "label=x", lists.repeated)],
  ["nothing between marks", joined(() => "")],
  ["choices", joined((i) => `use.${i}=mine&mine.${i}.a=`)],
  ["rows", joined((i) => `price.${i}.currency=EUR`)],
  ["parts", parts((n) => lists.different(n, (i) => part(`f${i}`)).join(""))],
  ["parts of one name", parts((n) => part("label").repeat(n))],
  ["headers of a part", parts((n) => `--b\r\n${"X: y\r\n".repeat(n)}\r\nx\r\n`)],
  ["parameters of a header", parts((n) => part(`x"; ${"a=b; ".repeat(n)}filename="x`))],
  ["parts without an end", { type: MULTIPART, of: (n) => "--b\r\n".repeat(n) }],
])

/** JSON in the place of a value. */
export const VALUES: ReadonlyMap<string, (n: number) => string> = new Map([
  ["nested lists", (n: number) => "[".repeat(n / 2) + "]".repeat(n / 2)],
  ["nested objects", (n: number) => `${'{"a":'.repeat(n / 6)}1${"}".repeat(n / 6)}`],
  ["lists that never end", (n: number) => "[".repeat(n)],
  ["empty lists", (n: number) => `[${"[],".repeat(n / 3)}[]]`],
  ["nulls", (n: number) => `[${"null,".repeat(n / 5)}1]`],
  ["exact numbers", (n: number) => `[${"1.00000000000000001,".repeat(n / 20)}1]`],
  ["digits", (n: number) => "9".repeat(n)],
  ["zeros inside a number", (n: number) => `1.${"0".repeat(n)}1e0`],
  ["digits of an exponent", (n: number) => `1e${"1".repeat(n)}`],
  ["different fields", (n: number) => `{${lists.different(n / 12, (i) => `"k${i}":1`).join(",")}}`],
  ["one field", (n: number) => `{${'"a":1,'.repeat(n / 6)}"a":1}`],
  ["escaped characters", (n: number) => `"${"\\u0041".repeat(n / 6)}"`],
  ["spaces", (n: number) => " ".repeat(n)],
])

const HEADER = "package_id,impressions"

export const FILES: ReadonlyMap<string, (n: number) => string> = new Map([
  ["rows", (n: number) => `${HEADER}\n${"x,1\n".repeat(n / 4)}`],
  ["columns", (n: number) => `${HEADER},${lists.different(n / 6, (i) => `c${i}`).join(",")}\nx,1\n`],
  ["unknown columns", (n: number) => `${lists.different(n / 6, (i) => `c${i}`).join(",")}\nx,1\n`],
  ["columns of one name", (n: number) => `${"impressions,".repeat(n / 12)}package_id\nx,1\n`],
  ["cells without a column", (n: number) => `${HEADER}\n${",".repeat(n)}\n`],
  ["blank lines", (n: number) => `${HEADER}\n${"\n".repeat(n)}`],
  ["blank lines before the header", (n: number) => `${"\n".repeat(n)}${HEADER}\nx,1\n`],
  ["rows of delimiters", (n: number) => `${HEADER}\n${",\n".repeat(n / 2)}`],
])
