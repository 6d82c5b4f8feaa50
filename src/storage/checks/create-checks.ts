/** Checks that people and programs create. */
import { DEFAULT_SETTINGS } from '../../core/checks/check-fields.js'
import { Refusal } from '../../core/errors.js'
import { ownValues } from '../../core/events/check-values.js'
import { plural } from '../../core/text/plural.js'
import { appendTo } from '../../lib/append-to.js'
import { once } from '../../lib/once.js'
import { channelFinder, type FoundChannel } from '../channels/find-channels.js'
import { addLinks, type Links } from '../channels/write-links.js'
import type { Db } from '../db.js'
import { toWire, type WireError } from '../errors.js'
import { recordEvents } from '../events/record-events.js'
import { inOrder } from '../in-order.js'
import { setParents } from '../incidents/check-parents.js'
import { policyId } from '../incidents/choose-policy.js'
import { announcedWrite } from '../method.js'
import {
  type AskedCheck,
  changedSettings,
  type UniqueValues,
  update,
  type WrittenCheck,
} from './change-checks.js'
import { accountCheckCount, addToCount, lockProject } from './checks.js'
import { insertCounted } from './create/insert-checks.js'
import { whereSettings } from './rows/check-columns.js'
import { type CompleteCheck, newCheck } from './rows/new-rows.js'

/** What became of a request for a new check. */
export type Creation = { written: WrittenCheck } | { refused: WireError }

/**
 * Creates a check, or changes the project's check that has the values of `unique` (null: always creates one). Throws
 * a `Refusal`: `limit` if the account has reached its limit of checks, `invalid` for the channels.
 */
export const create = announcedWrite(
  async (
    db: Db,
    projectId: number,
    asked: AskedCheck & { unique: UniqueValues | null },
  ): Promise<WrittenCheck> => {
    if (asked.unique) {
      // Locked, so that the result of the search is still valid when the check is created.
      await lockProject(db, projectId)
      const known = await findUnique(db, projectId, asked.unique)
      if (known !== null) return await update(db, projectId, known, asked)
    }
    const [written] = await createAll(db, projectId, [asked])
    return written!
  },
)

/**
 * Creates a check for each request that {@link create} would not refuse, in their order, and says why it refuses the others. Throws a
 * `Refusal`, and creates none, only for what parents a request has.
 */
export const createEach = announcedWrite(
  async (db: Db, projectId: number, requests: readonly AskedCheck[]): Promise<Creation[]> => {
    const judged = await judge(db, projectId, requests)
    const written = await insertAll(db, projectId, judged.filter(isComplete))
    let place = 0
    return judged.map(one => (isComplete(one) ? { written: written[place++]! } : { refused: toWire(one) }))
  },
)

/** Creates a check for each request, or none. Throws as {@link create}. */
export async function createAll(
  db: Db,
  projectId: number,
  requests: readonly AskedCheck[],
): Promise<WrittenCheck[]> {
  const judged = await judge(db, projectId, requests)
  const refusal = judged.find(one => !isComplete(one))
  if (refusal) throw refusal
  return await insertAll(db, projectId, judged.filter(isComplete))
}

/** A request with everything that it names. */
type CompletedRequest = AskedCheck & CompleteCheck & { linked: readonly FoundChannel[] }

function isComplete(judged: CompletedRequest | Refusal): judged is CompletedRequest {
  return 'settings' in judged
}

/** The requests with everything that they name, or why they are refused. Whether the limit has room for one alone is not known yet. */
async function judge(
  db: Db,
  projectId: number,
  requests: readonly AskedCheck[],
): Promise<(CompletedRequest | Refusal)[]> {
  const isAlone = requests.length === 1 && !requests[0]!.channels && requests[0]!.policy == null
  let room = isAlone ? 1 : await roomFor(db, projectId)
  const channels = once(() => channelFinder(db, projectId))
  const policies = new Map<number | string, Promise<number>>()
  const policyOf = (asked: number | string) => {
    const known = policies.get(asked) ?? policyId(db, projectId, asked)
    policies.set(asked, known)
    return known
  }
  const judged: (CompletedRequest | Refusal)[] = []
  for (const request of requests) {
    try {
      const settings = changedSettings(DEFAULT_SETTINGS, request)
      if (room <= 0) throw limitReached(db)
      const { channels: asked = '', policy = null } = request
      const linked = asked === '' ? [] : (await channels())(asked)
      judged.push({
        ...request,
        settings,
        linked,
        policyId: policy === null ? null : await policyOf(policy),
      })
      room--
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      judged.push(error)
    }
  }
  return judged
}

/** Throws a `Refusal` if the account of a project may not have this many checks more. */
export async function refuseTooMany(db: Db, projectId: number, more: number): Promise<void> {
  if ((await roomFor(db, projectId)) < more) throw limitReached(db)
}

/** How many more checks the account may have. The project is locked, so that this stays true. */
async function roomFor(db: Db, projectId: number): Promise<number> {
  const [, count] = await inOrder(
    db,
    () => lockProject(db, projectId),
    () => accountCheckCount(db, projectId),
  )
  return db.settings.checkLimit - count
}

async function insertAll(
  db: Db,
  projectId: number,
  requests: readonly CompletedRequest[],
): Promise<WrittenCheck[]> {
  if (requests.length === 0) return []
  // The first one locks the project, so that no other check is counted until these are created. The checks are sent
  // together with the count; a refusal rolls them back.
  const [, count, names] = await inOrder(
    db,
    () => addToCount(db, projectId, requests.length),
    () => accountCheckCount(db, projectId),
    () => insertCounted(db, projectId, requests),
  )
  if (count > db.settings.checkLimit) throw limitReached(db)
  await addLinks(db, linksOf(requests, names))
  for (const [place, { parents = [], now }] of requests.entries()) {
    if (parents.length > 0) await setParents(db, { id: names[place]!.id, projectId }, parents, now)
  }
  const events = requests.map((request, place) => createdEvent(projectId, names[place]!.uuid, request))
  await recordEvents(db, events, requests[0]!.now)
  return requests.map((request, place) => {
    const check = newCheck(request, names[place]!)
    const channels = request.linked.map(({ uuid }) => uuid)
    return { check, channels, hold: null, created: true, wakeAt: null, alerts: false }
  })
}

/** Requests that name the same channels have the same list of them. */
function linksOf(requests: readonly CompletedRequest[], names: readonly { id: number }[]): Links[] {
  const checks = new Map<readonly FoundChannel[], number[]>()
  for (const [place, { linked }] of requests.entries()) appendTo(checks, linked, names[place]!.id)
  return [...checks].map(([linked, checkIds]) => ({ checkIds, channelIds: linked.map(({ id }) => id) }))
}

function createdEvent(projectId: number, uuid: string, request: CompletedRequest) {
  const { settings, linked, parents = [], policy = null, actor } = request
  const after = {
    ...ownValues(settings),
    ...(linked.length > 0 && { channels: linked.map(channel => channel.uuid) }),
    ...(parents.length > 0 && { depends_on: parents }),
    ...(policy !== null && { policy }),
  }
  const object = { id: uuid, name: settings.name }
  return { projectId, type: 'check.created' as const, object, after, actor }
}

function limitReached({ settings: { checkLimit } }: Db): Refusal {
  return new Refusal('limit', `the account has reached its limit of ${plural(checkLimit, 'check')}`)
}

/** The UUID of the project's oldest check with all these values, or null. */
async function findUnique(db: Db, projectId: number, values: UniqueValues): Promise<string | null> {
  let query = db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select('c.uuid')
    .where('c.project_id', '=', projectId)
  for (const [column, value] of whereSettings(values)) {
    query = query.where(column, value === null ? 'is' : '=', value)
  }
  const row = await query.orderBy('c.id').limit(1).executeTakeFirst()
  return row?.uuid ?? null
}
