import { sql } from 'kysely'

/** What pages call a check of `check_details as d`: its name, or its slug if it has none. */
export const shownName = sql<string>`CASE d.name WHEN '' THEN d.slug ELSE d.name END`

/** The same as a column `name`. It is null where a left join finds no check. */
export const selectShownName = shownName.as('name')
