/** Checks as finished JSON, written here so that the event loop need not wait for many of them. */

import { type QueryCreator, type RawBuilder, sql as raw } from 'kysely'
import { type Check, tagList } from '../../core/checks/check.js'
import type { Hold } from '../../core/instance/outage.js'
import { checkJson } from '../../core/wire/check.js'
import type { ApiVersion, WireView } from '../../core/wire/version.js'
import { channelsByCheck, channelUuids } from '../channels/check-channels.js'
import type { Db } from '../db.js'
import { gathered } from '../gathered.js'
import { holdColumns, holdOf, outagesFrom } from '../instance/hold-columns.js'
import { currentHold } from '../instance/outages.js'
import { JsonBytes } from '../json-bytes.js'
import { longRead, readWithoutSnapshot } from '../method.js'
import { prepared } from '../prepared.js'
import type { Tables } from '../tables.js'
import { type CheckRef, checkOfProject } from './find-check.js'
import { nativeList } from './list/native-list.js'
import { selectChecks, selectShownChecks, toShownCheck } from './rows/check-rows.js'

/** The reader of the JSON, and the time. */
export interface Viewer {
  projectId: number
  version: ApiVersion
  access: 'rw' | 'ro'
  now: number
}

/** The filter of the list: checks with this slug and all of these tags. */
export interface CheckFilter {
  slug: string | null
  tags: readonly string[]
}

export interface CheckWithChannels {
  check: Check
  /** The UUIDs of its channels. */
  channels: string[]
  hold: Hold | null
}

/** One check as JSON. Throws a `Refusal` as {@link findCheck}. */
export const show = readWithoutSnapshot(async (db: Db, viewer: Viewer, ref: CheckRef): Promise<string> => {
  const { check, channels, hold } = await shown(db, viewer.projectId, ref, viewer.now)
  return checkJson(check, channels, viewOf(db, viewer, hold))
})

async function shown(db: Db, projectId: number, ref: CheckRef, now: number): Promise<CheckWithChannels> {
  const since = outagesFrom(now)
  const [row] =
    'uuid' in ref
      ? await byUuid.arrays(db, { uuid: ref.uuid, since })
      : await byUniqueKey.arrays(db, { uniqueKey: ref.uniqueKey, projectId, since })
  const check = checkOfProject(projectId, row)
  const [channels, beats, outages] = row!.slice(-3) as (string | null)[]
  const hold = holdOf({ beats: beats!, outages: outages! }, now, db.settings.outageHoldMs)
  return { check, channels: channels?.split(',') ?? [], hold }
}

/** One check with its channels. Throws a `Refusal` as {@link findCheck}. */
export const withChannels = readWithoutSnapshot(shown)

/** Everything needed to show a check, in one statement. */
function selectShown(engine: Pick<Db, 'sql' | 'dialect'>, since: number, among: RawBuilder<unknown>) {
  const sql: QueryCreator<Tables> = gathered(
    engine,
    ['checks', 'check_details'],
    raw`(SELECT check_id FROM check_names WHERE ${among})`,
  )
  return selectChecks(sql).select([channelUuids('c.id'), ...holdColumns(since)])
}

const byUuid = prepared((_sql, value: { uuid: string; since: number }, engine) =>
  selectShown(engine, value.since, raw`uuid = ${value.uuid}`).where('c.uuid', '=', value.uuid),
)

const byUniqueKey = prepared((_sql, value: { uniqueKey: string; projectId: number; since: number }, engine) =>
  selectShown(engine, value.since, raw`unique_key = ${value.uniqueKey}`)
    .where('d.unique_key', '=', value.uniqueKey)
    .where('c.project_id', '=', value.projectId),
)

/** A project's checks as the JSON `{"checks": [...]}`, in the order of their creation. */
export const showList = longRead(async (db: Db, viewer: Viewer, filter: CheckFilter): Promise<Uint8Array> => {
  const { projectId } = viewer
  const [hold, channels, [project]] = await Promise.all([
    currentHold(db, viewer.now),
    viewer.access === 'rw' ? channelsByCheck(db, projectId) : new Map<number, string[]>(),
    numberOfChecks.arrays(db, { projectId }),
  ])
  const view = viewOf(db, viewer, hold)
  const list = new JsonBytes('{"checks": [')
  const limit = db.dialect.checksAtOnce
  for (let after = 0, rows = limit; rows === limit; ) {
    rows = 0
    const onRow = (row: unknown[]) => {
      rows++
      const check = toShownCheck(row)
      after = check.id
      if (filter.tags.length > 0 && !hasTags(check.tags, filter.tags)) return
      list.add(checkJson(check, channels.get(check.id) ?? [], view))
    }
    const place = { projectId, after, limit }
    if (filter.slug === null) await page.each(db, place, Number(project?.[0] ?? 0), onRow)
    else for (const row of await pageWithSlug.arrays(db, { ...place, slug: filter.slug })) onRow(row)
  }
  return list.end(']}')
})

/** A part of the list of Punctual's own API. */
export const showNativeList = longRead(nativeList)

const numberOfChecks = prepared((sql, value: { projectId: number }) =>
  sql.selectFrom('projects').select('n_checks').where('id', '=', value.projectId),
)

type Place = { projectId: number; after: number; limit: number }

const page = prepared((sql, value: Place) =>
  selectShownChecks(sql)
    .where('c.project_id', '=', value.projectId)
    .where('c.id', '>', value.after)
    .orderBy('c.id')
    .limit(value.limit),
)

const pageWithSlug = prepared((sql, value: Place & { slug: string }) =>
  selectShownChecks(sql)
    .where('d.project_id', '=', value.projectId)
    .where('d.slug', '=', value.slug)
    .where('c.id', '>', value.after)
    .orderBy('c.id')
    .limit(value.limit),
)

function viewOf(db: Db, viewer: Viewer, hold: Hold | null): WireView {
  const { siteRoot, pingEndpoint } = db.settings
  const { version, access, now } = viewer
  return { version, access, now, hold, siteRoot, pingEndpoint }
}

function hasTags(tags: string, wanted: readonly string[]): boolean {
  const own = new Set(tagList(tags))
  return wanted.every(tag => own.has(tag))
}
