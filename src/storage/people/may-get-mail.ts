import { type SqlBool, sql } from 'kysely'

/**
 * A condition on `users`: the person may get unsolicited e-mail, because the address is proven and the account is not
 * disabled. Source: decision 0105.
 */
export const MAY_GET_MAIL = sql<SqlBool>`(users.email_proven_at IS NOT NULL AND users.disabled_at IS NULL)`
