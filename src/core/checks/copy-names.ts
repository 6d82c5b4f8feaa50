import { CHECK_FIELDS } from './check-fields.js'

const { name: NAME, slug: SLUG } = CHECK_FIELDS

/**
 * What the copy of a check is called: its name with ` (copy)`, shortened where it would be too long, and its slug
 * with `-copy`, or none where that would be too long. Source: docs/behaviour.md, section 9.4.
 */
export function copyNames({ name, slug }: { name: string; slug: string }): { name: string; slug: string } {
  const whole = `${name} (copy)`
  const short = `${[...name].slice(0, 90).join('')}... (copy)`
  const copySlug = slug === '' ? '' : `${slug}-copy`
  return {
    name: name === '' ? '' : [...whole].length > NAME.type.maxLength ? short : whole,
    slug: copySlug.length > SLUG.type.maxLength ? '' : copySlug,
  }
}
