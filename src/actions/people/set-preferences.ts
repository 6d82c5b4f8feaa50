import { Refusal } from '../../core/errors.js'
import { THEMES } from '../../core/people/theme.js'
import { canonicalZone } from '../../core/schedule/index.js'
import type { StoreWith } from '../../storage/store.js'

/** Sets the time zone and the theme of a person's pages. Throws a `Refusal` for invalid values. */
export async function setPreferences(
  store: StoreWith<'people.setPreferences'>,
  userId: number,
  given: { timezone: string; theme: string },
): Promise<void> {
  const timezone = canonicalZone(given.timezone)
  if (timezone === null) throw new Refusal('invalid', 'choose a time zone from the list', 'timezone')
  const theme = THEMES.find(known => known === given.theme)
  if (!theme) throw new Refusal('invalid', `a theme is one of: ${THEMES.join(', ')}`, 'theme')
  await store.people.setPreferences(userId, { timezone, theme })
}
