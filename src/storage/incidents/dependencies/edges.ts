/** The tree of dependencies above and below checks. */
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
