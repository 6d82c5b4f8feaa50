import { Refusal } from '../../../core/errors.js'
import type { ConfigStep } from './config-step.js'

/** The result of a write; if it is refused, the object of the file is named, and its place as `field`. */
export async function naming<T>(
  { section, key }: Pick<ConfigStep, 'section' | 'key'>,
  result: Promise<T>,
): Promise<T> {
  return await result.catch(error => {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.code, `${section}.${key}: ${error.message}`, `${section}/${key}`)
  })
}
