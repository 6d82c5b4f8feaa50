import { CHECK_FIELDS } from './check-fields.js'

const { name: NAME, slug: SLUG } = CHECK_FIELDS

/**
 * The name and the slug of a check's copy: the name with ` (copy)`, shortened if it would be too long, and the slug
 * with `-copy`, or no slug if it would be too long. Source: docs/behaviour.md, section 9.4.
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
