import { bigint } from "drizzle-orm/pg-core"

/** A whole number up to 2^53, read as a number. */
export const whole = (name?: string) =>
  name === undefined ? bigint({ mode: "number" }) : bigint(name, { mode: "number" })
export const rowId = () => whole().primaryKey().generatedByDefaultAsIdentity()
