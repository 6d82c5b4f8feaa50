/** Facts about the recipients of a channel's e-mails. Source: docs/behaviour.md, section 8.7. */

import type { Db } from '../db.js'
import { read } from '../method.js'
import { MAY_GET_MAIL } from '../people/may-get-mail.js'

export interface RecipientFacts {
  /**
   * The time zone of the account with this address, else of the owner of the channel's project;
   * null if there is neither.
   */
  timeZone: string | null
}

/** The facts for an e-mail of a channel to an address. An account whose address is not proven does not count. */
export const recipientFacts = read(
  async (db: Db, channelUuid: string, address: string): Promise<RecipientFacts> => {
    const user = await db.sql
      .selectFrom('users')
      .select('timezone')
      .where('email', '=', address.toLowerCase())
      .where(MAY_GET_MAIL)
      .executeTakeFirst()
    if (user) return { timeZone: user.timezone }
    const owner = await db.sql
      .selectFrom('channels as c')
      .innerJoin('projects as p', 'p.id', 'c.project_id')
      .innerJoin('users as u', 'u.id', 'p.owner_id')
      .select('u.timezone')
      .where('c.uuid', '=', channelUuid)
      .executeTakeFirst()
    return { timeZone: owner?.timezone ?? null }
  },
)
