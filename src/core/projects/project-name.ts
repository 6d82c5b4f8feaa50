import { Refusal } from '../errors.js'

const MAX_LENGTH = 100

/** A project's name as it is stored; it may be empty. Throws a `Refusal` if it is too long. */
export function projectName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ')
  if ([...name].length > MAX_LENGTH) {
    throw new Refusal('invalid', `a project’s name has at most ${MAX_LENGTH} characters`, 'name')
  }
  return name
}
