/** What the parts of an import share. */

import { CompiledQuery } from 'kysely'
import type { GivenSettings } from '../../core/import/map-channel.js'
import type { Side } from '../copy/side.js'
import type { Db } from '../db.js'
import { newId } from '../new-id.js'
import type { QueuedMail } from '../people/mails.js'
import type { ImportReport } from './report.js'
import type { Source } from './source.js'

/** The settings of a channel as they are stored, with what was wrong with them, if they can be stored at all. */
export type CompleteSettings = (
  kind: string,
  given: GivenSettings,
) =>
  | { settings: Record<string, string>; members: string[]; problem: string | null; hearsDown: boolean }
  | { problem: string }

export interface ImportRules {
  completeSettings: CompleteSettings
  /** The settings of this installation that channels of the kind still need. */
  missingToSend(kind: string): readonly string[]
  /** Whether the hash of a password can be verified. */
  canVerify(hash: string): boolean
  /** The digest of an API key. */
  digestOf(key: string): string
  /** Encrypts the secret of an authenticator app. */
  sealTotp(userId: number, secret: string): string
  /** The e-mail to a person of Healthchecks to whom an account is handed over. */
  handedOverMail: QueuedMail
  now: number
}

/** IDs of the target by IDs of the source. */
export interface Ids {
  users: Map<number, number>
  projects: Map<number, number>
  channels: Map<number, number>
  checks: Map<number, number>
}

export interface Import {
  source: Source
  /** Null: nothing is written, because only the plan is asked for. */
  target: Side | null
  rules: ImportRules
  report: ImportReport
  ids: Ids
  /** The people, by their IDs in the source, whose accounts this import made, or handed over to them. */
  opened: Set<number>
  /** The channels, by their IDs in the target, that are sent down alerts and are not groups; see `reported`. */
  hearing: Set<number>
  /** The members of groups, by IDs in the target. */
  members: Map<number, number[]>
}

/** The ID of a new row in a table whose IDs are not reused; empty on PostgreSQL. */
export async function nextId(side: Side, table: Parameters<typeof newId>[1]): Promise<{ id?: number }> {
  return await newId(dbOf(side), table)
}

/** The part of the context of storage methods that those need which only write rows, and record events. */
export function dbOf({ sql, engine, isDistributed, maxParameters }: Side): Db {
  const all = async (text: string, parameters: readonly unknown[]) =>
    (await sql.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows
  return { sql, dialect: { name: engine, isDistributed, maxParameters, all }, actor: null } as unknown as Db
}

/** Runs `work` in a transaction of the target. */
export async function inTransaction<T>(side: Side, work: () => Promise<T>): Promise<T> {
  await side.begin()
  try {
    const result = await work()
    await side.commit()
    return result
  } catch (error) {
    await side.rollback().catch(() => {})
    throw error
  }
}

/** Every row of a small table. */
export async function allRows<T extends Parameters<Source['page']>[0]>(source: Source, table: T) {
  const rows = []
  for (let after = 0; ; ) {
    const page = await source.page(table, after, 1_000)
    rows.push(...page)
    if (page.length < 1_000) return rows
    after = (page.at(-1) as { id: number }).id
  }
}
