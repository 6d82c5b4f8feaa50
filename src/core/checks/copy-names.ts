const MAX_LENGTH = 100

/**
 * What the copy of a check is called: its name with ` (copy)`, shortened where it would be too long, and its slug
 * with `-copy`, or none where that would be too long. Source: section 9.4 of the behaviour.
 */
export function copyNames({ name, slug }: { name: string; slug: string }): { name: string; slug: string } {
  const whole = `${name} (copy)`
  const short = `${[...name].slice(0, 90).join('')}... (copy)`
  const copySlug = slug === '' ? '' : `${slug}-copy`
  return {
    name: name === '' ? '' : [...whole].length > MAX_LENGTH ? short : whole,
    slug: copySlug.length > MAX_LENGTH ? '' : copySlug,
  }
}
