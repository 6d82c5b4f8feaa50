import { type Expression, type SqlBool, sql } from 'kysely'
import { MEMBER_ROLES, may, type Need } from '../../core/people/role.js'

/** What members may need; only the owner may `own`. */
const NEEDS: readonly Need[] = ['read', 'write', 'manage']

/**
 * A subquery for the IDs of the people whose role in a project allows `need`. Both are columns or values. Nobody sees a
 * project that is being deleted.
 */
export function peopleWho(project: Expression<number>, need: Expression<Need>) {
  const allows = NEEDS.map(one => {
    const roles = MEMBER_ROLES.filter(role => may(role, one))
    return sql<SqlBool>`(${need} = ${sql.lit(one)} AND role IN (${sql.join(roles.map(role => sql.lit(role)))}))`
  })
  // Not NULL, with which nothing would be `NOT IN` them.
  return sql<number>`(
    SELECT owner_id FROM projects WHERE id = ${project} AND deleting = 0 AND owner_id IS NOT NULL
    UNION ALL SELECT user_id FROM members WHERE project_id = ${project} AND (${sql.join(allows, sql` OR `)})
      AND project_id IN (SELECT id FROM projects WHERE deleting = 0)
  )`
}
