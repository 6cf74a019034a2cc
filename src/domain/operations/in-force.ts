/** The value of a setting that is in force, and where it was set. */
export interface InForce<Value> {
  readonly value: Value
  readonly from: "option" | "app" | "default"
}

/** An option of the server takes precedence over what was chosen in the app. This is the only place that decides. */
export function inForce<Value>(option: Value | null, chosen: Value | null, fallback: Value): InForce<Value> {
  if (option !== null) return { value: option, from: "option" }
  return chosen !== null ? { value: chosen, from: "app" } : { value: fallback, from: "default" }
}
