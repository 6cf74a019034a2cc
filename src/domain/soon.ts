/**
 * Something that is there already, or will be. Where thousands of requests a second pass, a promise for what is known anyway would
 * be felt; everywhere else a promise is simpler.
 */
export type Soon<Value> = Value | Promise<Value>

/** Goes on with a value at once, or when it is there. */
export function soon<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
