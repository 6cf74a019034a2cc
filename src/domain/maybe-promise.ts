/** A value, or a promise of it. For hot paths only, where awaiting a known value is measurably slower; elsewhere use a promise. */
export type MaybePromise<Value> = Value | Promise<Value>

export function thenMaybe<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
