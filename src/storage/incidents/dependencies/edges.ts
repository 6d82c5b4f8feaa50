/** The tree of dependencies above and below checks. */
import { type RawBuilder, sql as raw } from 'kysely'
import { preparedList } from '../../prepared.js'

/** On whom the checks depend, directly or not: each edge once, however many ways lead to it. */
export const edgesAbove = preparedList((sql, _: Record<string, never>, items: { checkId: number }[]) =>
  sql
    .withRecursive('above(check_id, parent_id)', db =>
      db
        .selectFrom('check_parents')
        .select(['check_id', 'parent_id'])
        .where(
          'check_id',
          'in',
          items.map(({ checkId }) => checkId),
        )
        .union(
          db
            .selectFrom('above')
            .innerJoin('check_parents as cp', 'cp.check_id', 'above.parent_id')
            .select(['cp.check_id', 'cp.parent_id']),
        ),
    )
    .selectFrom('above')
    .select(['check_id as checkId', 'parent_id as parentId']),
)

/** A query of the IDs of checks of which a condition on `check_names n` is true, and of those on which they depend directly. */
export function withParents(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return raw`(
    SELECT n.check_id FROM check_names n WHERE ${condition}
    UNION
    SELECT cp.parent_id FROM check_names n JOIN check_parents cp ON cp.check_id = n.check_id WHERE ${condition}
  )`
}
