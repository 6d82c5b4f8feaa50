import { type SqlBool, sql } from 'kysely'

/**
 * Who may get e-mail that they have not asked for at this moment: a person who has proven the address, and is not disabled.
 * A condition for queries of `users`. Source: decision 0105.
 */
export const MAY_GET_MAIL = sql<SqlBool>`(users.email_proven_at IS NOT NULL AND users.disabled_at IS NULL)`
