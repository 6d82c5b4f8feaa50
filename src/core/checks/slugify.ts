import { CHECK_FIELDS } from './check-fields.js'

/**
 * The slug that versions 1 and 2 of the API derive from a name: accents are removed, other non-ASCII characters
 * dropped, and blanks and hyphens joined. `Foo Bär & Co_x` becomes `foo-bar-co_x`. At most 100 characters.
 */
export function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^\0-\u007f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9_\s-]/g, '')
    .trim()
    .replace(/[-\s]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, CHECK_FIELDS.slug.type.maxLength)
}
