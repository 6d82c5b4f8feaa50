/** The channels that a request names. */
import { Refusal } from '../../core/errors.js'
import { appendTo } from '../../lib/append-to.js'
import type { Db } from '../db.js'

/**
 * The channels in `requested`: `*` for all of the project, else UUIDs or names, separated by commas. Throws
 * `Refusal('invalid')` at the first that matches no channel, or several. Source: docs/behaviour.md, section 4.5.
 */
export async function resolveChannels(db: Db, projectId: number, requested: string): Promise<number[]> {
  return requested === '' ? [] : (await channelFinder(db, projectId))(requested).map(({ id }) => id)
}

/** A channel that a request names. */
export interface FoundChannel {
  id: number
  uuid: string
}

/**
 * A {@link resolveChannels} for many requests, with UUIDs. It returns the same list for the same text, and knows the channels that the
 * project has now.
 */
export async function channelFinder(
  db: Db,
  projectId: number,
): Promise<(requested: string) => readonly FoundChannel[]> {
  const channels = await db.sql
    .selectFrom('channels')
    .select(['id', 'uuid', 'name'])
    .where('project_id', '=', projectId)
    .execute()
  const known = new Map<string, FoundChannel[]>()
  for (const channel of channels) {
    appendTo(known, channel.uuid, channel)
    if (channel.name !== channel.uuid) appendTo(known, channel.name, channel)
  }
  const named = (piece: string): FoundChannel => {
    if (piece === '') throw new Refusal('invalid', 'empty channel identifier')
    const [found, ...others] = known.get(piece) ?? []
    if (!found) throw new Refusal('invalid', `invalid channel identifier: ${piece}`)
    if (others.length > 0) throw new Refusal('invalid', `non-unique channel identifier: ${piece}`)
    return found
  }
  const lists = new Map<string, readonly FoundChannel[]>([['', []]])
  return requested => {
    const list =
      lists.get(requested) ?? (requested === '*' ? channels : [...new Set(requested.split(',').map(named))])
    lists.set(requested, list)
    return list
  }
}
