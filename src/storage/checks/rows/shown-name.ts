import { sql } from 'kysely'
import { checkLabel } from '../../../core/alerts/alert.js'
import type { Check } from '../../../core/checks/check.js'
import { uniqueKey } from '../checks.js'

/** What pages call a check of `check_details as d`: the rule of `checkLabel` (core/alerts/alert.ts) in SQL. */
export const shownName = sql<string>`CASE
  WHEN d.name <> '' THEN d.name
  WHEN d.slug <> '' THEN d.slug
  ELSE 'Unnamed check ' || substr(d.unique_key, 1, 8) END`

/** The same as a column `name`. It is null where a left join finds no check. */
export const selectShownName = shownName.as('name')

/** The same of a check in a list. */
export function shownNameOf({ name, slug, uuid }: Pick<Check, 'name' | 'slug' | 'uuid'>): string {
  return checkLabel({ name, slug, uniqueKey: name || slug ? '' : uniqueKey(uuid) })
}
