/**
 * Something that is there already, or will be. Where thousands of requests a second pass, a promise for what is known anyway would
 * be felt; everywhere else a promise is simpler.
 */
export type MaybePromise<Value> = Value | Promise<Value>

/** Goes on with a value at once, or when it is there. */
export function thenMaybe<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
