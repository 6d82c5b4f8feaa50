/** Creates accounts, each completely or not at all. */

import type { Settings } from '../../core/checks/check-fields.js'
import { Refusal } from '../../core/errors.js'
import { create as createChannel, type NewChannel } from '../channels/channels.js'
import { insertCheck } from '../checks/create/insert-checks.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { acceptInvitation, findProof } from '../projects/invitations.js'
import { create as createProject, type NewProject } from '../projects/projects.js'
import { recordProject } from '../projects/record-members.js'
import { takeToken } from './tokens.js'
import { createUser, hasUsers, type NewUser, type User } from './users.js'

/** The first check of a new project. */
export type StarterCheck = Pick<Settings, 'name' | 'slug'>

/** The channel to a new account's address. */
export type FirstChannel = Omit<NewChannel, 'projectId' | 'now'>

/** A new account with its project and check, or null without them. */
export interface Account {
  user: User
  project: { id: number; uuid: string } | null
  check: { uuid: string } | null
}

/** Creates a user with a project, a check in it, and a channel. Throws a `Refusal` if the address is taken. */
export const createAccount = write(
  async (
    db: Db,
    user: NewUser,
    starter: { project: Omit<NewProject, 'ownerId'>; check: StarterCheck; channel: FirstChannel | null },
  ): Promise<Account> => {
    const created = await createUser(db, user)
    const project = await createProject(db, { ...starter.project, ownerId: created.id })
    const check = await insertCheck(db, { ...starter.check, projectId: project.id, now: user.now })
    await addFirstChannel(db, project.id, starter.channel, user.now)
    return { user: created, project, check: { uuid: check.uuid } }
  },
)

/**
 * Creates a user by an invitation to a project, which is used up, and adds them to it. With `proof`, the digest of a
 * link that was mailed for this invitation, the address has to be the proven one. Throws a `Refusal`, and creates
 * nobody, if the address is taken or the invitation or the link was used in the meantime.
 */
export const createGuest = write(
  async (
    db: Db,
    { invitation, proof, user }: { invitation: string; proof: string | null; user: NewUser },
  ): Promise<User> => {
    const { now } = user
    if (proof !== null && (await findProof(db, { invitation, proof, now })) !== user.email) {
      throw new Refusal('gone', 'this link was used already')
    }
    const created = await createUser(db, user)
    if ((await acceptInvitation(db, invitation, created.id, now)) === null) {
      throw new Refusal('gone', 'the invitation was used or withdrawn, or has run out')
    }
    return created
  },
)

/**
 * Creates the first account, with the link that was printed at start, and gives it the oldest project without an
 * owner. Throws a `Refusal` if the link is unknown or an account exists.
 */
export const createFirstAccount = write(
  async (db: Db, digest: string, user: NewUser, channel: FirstChannel | null): Promise<Account> => {
    const token = await takeToken(db, digest, 'first-account', user.now)
    if (!token || (await hasUsers(db)))
      throw new Refusal(
        'gone',
        'it was already used, or the server has been restarted since: the newest link is in the server’s output',
      )
    const created = await createUser(db, user)
    const project = await db.sql
      .selectFrom('projects')
      .select(['id', 'uuid'])
      .where('owner_id', 'is', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!project) return { user: created, project: null, check: null }
    // All of them: the person who created them on the command line had no account.
    const claimed = await db.sql
      .updateTable('projects')
      .set({ owner_id: created.id })
      .where('owner_id', 'is', null)
      .returning('id')
      .execute()
    for (const { id } of claimed) {
      await recordProject(db, id, { before: { owner: null }, after: { owner: created.email } }, user.now)
    }
    await addFirstChannel(db, project.id, channel, user.now)
    const check = await db.sql
      .selectFrom('checks')
      .select('uuid')
      .where('project_id', '=', project.id)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    return { user: created, project, check: check ?? null }
  },
)

async function addFirstChannel(
  db: Db,
  projectId: number,
  channel: FirstChannel | null,
  now: number,
): Promise<void> {
  if (channel) await createChannel(db, { ...channel, projectId, now })
}
