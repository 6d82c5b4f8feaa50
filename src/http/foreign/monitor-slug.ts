/** The slug of the check for another monitor’s name and environment. */
import { slugify } from '../../core/checks/slugify.js'
import { Refusal } from '../../core/errors.js'

/**
 * An environment other than `production` has a check of its own, so that it raises no alarm for production. Throws a `Refusal`
 * that names `field` if nothing is left of the name.
 */
export function monitorSlug(name: string, environment: string, field: string): string {
  const words = [name, environment === 'production' ? '' : environment].filter(word => word !== '')
  const lower = words.join('-').toLowerCase()
  const found = /^[-a-z0-9_]{1,100}$/.test(lower) ? lower : slugify(lower)
  if (found === '') throw new Refusal('invalid', `${field} has no letter or digit`)
  return found
}

/** A name in a path. Throws a `Refusal` if it is not valid there. */
export function nameInPath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal('invalid', 'the slug is not valid in a URL')
  }
}
