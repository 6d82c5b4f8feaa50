/** Checks as finished JSON: made here, so that the event loop does not wait for many of them. */
import { tagList } from '../core/check.js'
import { checkJson } from '../core/wire/check.js'
import type { ApiVersion, WireView } from '../core/wire/version.js'
import { channelsByCheck, channelsOfCheck } from './check-channels.js'
import { selectChecks, toCheck } from './check-rows.js'
import type { Db } from './db.js'
import { type CheckRef, findCheck } from './find-check.js'
import { jsonBytes } from './json-bytes.js'
import { currentHold } from './outages.js'

/** For whom and when something is shown. */
export interface Viewer {
  projectId: number
  version: ApiVersion
  access: 'rw' | 'ro'
  now: number
}

/** Which checks are listed: those with this slug and all of these tags. */
export interface CheckFilter {
  slug: string | null
  tags: readonly string[]
}

/** One check as JSON. `Refusal` as {@link findCheck}. */
export async function showCheck(db: Db, viewer: Viewer, ref: CheckRef): Promise<string> {
  const check = await findCheck(db, viewer.projectId, ref)
  const channels = viewer.access === 'rw' ? await channelsOfCheck(db, check.id) : []
  return checkJson(check, channels, await viewOf(db, viewer))
}

/** The project's checks as the JSON `{"checks": [...]}`, in the order they were made. */
export async function showChecks(db: Db, viewer: Viewer, filter: CheckFilter): Promise<Uint8Array> {
  let query = selectChecks(db).where('c.project_id', '=', viewer.projectId).orderBy('c.id')
  if (filter.slug !== null) query = query.where('d.slug', '=', filter.slug)
  const rows = await query.execute()
  const view = await viewOf(db, viewer)
  const channels = viewer.access === 'rw' ? await channelsByCheck(db, viewer.projectId) : new Map()
  const shown = filter.tags.length === 0 ? rows : rows.filter(row => hasTags(row.tags, filter.tags))
  return jsonBytes(
    '{"checks": [',
    shown.map(row => checkJson(toCheck(row), channels.get(row.id) ?? [], view)),
    ']}',
  )
}

async function viewOf(db: Db, viewer: Viewer): Promise<WireView> {
  const { siteRoot, pingEndpoint } = db.settings
  const { version, access, now } = viewer
  return { version, access, now, hold: await currentHold(db, now), siteRoot, pingEndpoint }
}

function hasTags(tags: string, wanted: readonly string[]): boolean {
  const own = new Set(tagList(tags))
  return wanted.every(tag => own.has(tag))
}
