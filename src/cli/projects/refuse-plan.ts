import { Refusal } from '../../core/errors.js'

/** Throws a `Refusal` with a line for each problem of a file. */
export function refusePlan(problems: readonly string[]): void {
  if (problems.length > 0)
    throw new Refusal('invalid', ['the file cannot be used:', ...problems].join('\n  '))
}
