/** The ping path where Citus distributes checks: rows are locked and changed shard by shard. */
import { toLoadedCheck } from '../../checks/rows/check-rows.js'
import type { LoadedCheck, NamedCheck, SlugMatch } from '../../dialect.js'
import { numbers, texts } from '../arrays.js'
import type { Connection } from '../connection.js'
import type { OwnDialect, Version } from '../dialect.js'
import type { KnownChecks } from '../known-checks.js'
import { SAVE_STATES, stateColumns } from '../save-statements.js'
import { inShard } from './in-shard.js'
import { type CheckServers, HOLD_SHARDS } from './shards.js'
import { earliestWakeUp, newestPings, wokenIds } from './woken.js'

type Changed = Pick<
  OwnDialect,
  | 'isDistributed'
  | 'isAway'
  | 'newestPings'
  | 'atCheck'
  | 'lockable'
  | 'loadChecks'
  | 'loadUnlocked'
  | 'loadWoken'
  | 'earliestWakeUp'
  | 'findBySlug'
  | 'saveStates'
>

/**
 * What a database whose checks are on `workers` does in another way. A statement that has all the rows that it concerns in one shard runs
 * there as on a server of its own; so there is one for each shard, all sent at once.
 */
export function distributedDialect(
  connection: Connection,
  workers: CheckServers,
  known?: KnownChecks,
): Changed {
  const { shards } = workers
  /**
   * The rows of a statement that locks those of the checks of one shard, with their IDs as its first parameter. Citus would let the shard
   * move away while they are locked, and others change them in its new place.
   */
  const lockByShard = async <R extends object>(ids: readonly number[], text: string, ...more: unknown[]) => {
    if (ids.length === 0) return []
    const groups = shards.groupByShard(ids, id => id)
    const held = connection.prepared(HOLD_SHARDS, [numbers(groups.map(([{ id }]) => id))])
    const ask = ([, group]: readonly [unknown, number[]]) =>
      connection.query<R>(text, [numbers(group.sort((a, b) => a - b)), ...more])
    const [answers] = await Promise.all([Promise.all(groups.map(ask)), held])
    return answers.flatMap(({ rows }) => rows)
  }

  const load = async (statement: string, uuids: readonly string[]) => {
    if (uuids.length === 0) return { checks: [], named: [] }
    const { rows: named } = await connection.query<{ id: number; uuid: string }>(
      'SELECT check_id AS id, uuid FROM check_names WHERE uuid = ANY($1::text[])',
      [texts([...uuids])],
    )
    const rows = await lockByShard<Version>(
      named.map(({ id }) => id),
      statement,
    )
    const checks = rows.map(row => {
      const check = toLoadedCheck(row)
      known?.loaded(check, row.version)
      return check
    })
    return { checks: checks.sort((a, b) => (a.uuid < b.uuid ? -1 : 1)), named }
  }

  return {
    isDistributed: true,
    isAway: checkId => workers.isSilent(shards.workerOf(checkId)),
    newestPings: limit => newestPings(workers, limit),
    atCheck: checkId => inShard(connection, workers, checkId),
    lockable: checkIds => shards.group(checkIds, id => id),

    loadChecks: async uuids => (await load(LOCK_CHECKS, uuids)).checks,

    async loadUnlocked(uuids) {
      const { checks, named } = await load(LOCK_UNLOCKED, uuids)
      const loaded = new Set(checks.map(({ uuid }) => uuid))
      const others = named.filter(({ uuid }) => !loaded.has(uuid)).map(({ id }) => id)
      const rows = await Promise.all(
        shards
          .group(others, id => id)
          .map(some => connection.query<NamedCheck>(NAME_CHECKS, [numbers(some)])),
      )
      return { checks, locked: rows.flatMap(({ rows }) => rows) }
    },

    async loadWoken(now, limit, which, { only, except = [] }) {
      const ids = only
        ? only.filter(id => !except.includes(id))
        : await wokenIds(workers, now, limit, which, except)
      const woken = await lockByShard<object>(ids, LOCK_WOKEN, now)
      const sign = which === 'earliest' ? 1 : -1
      return woken.map(toLoadedCheck).sort((a, b) => sign * (a.wakeAt! - b.wakeAt!))
    },

    earliestWakeUp: () => earliestWakeUp(workers),

    findBySlug: pairs => findBySlug(connection, pairs),

    async saveStates(checks, changed) {
      if (checks.length === 0) return
      const save = (group: LoadedCheck[]) =>
        connection.query<Version>(SAVE_STATES_OF_SHARD, stateColumns(group, changed.wakeAt))
      const answers = await Promise.all(shards.group(checks, ({ id }) => id).map(save))
      if (!known) return
      const versions = new Map(answers.flatMap(({ rows }) => rows.map(({ id, version }) => [id, version])))
      for (const check of checks) {
        const version = versions.get(check.id)
        if (version !== undefined) known.saved(check, version)
      }
    },
  }
}

const LOCK_CHECKS =
  'SELECT *, xmin AS version FROM checks WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE'

const LOCK_UNLOCKED = `${LOCK_CHECKS} SKIP LOCKED`

const NAME_CHECKS = `SELECT uuid, id AS "checkId", project_id AS "projectId" FROM checks WHERE id = ANY($1::bigint[])`

const LOCK_WOKEN = `SELECT * FROM checks WHERE id = ANY($1::bigint[]) AND wake_at <= $2 ORDER BY id
  FOR NO KEY UPDATE SKIP LOCKED`

/** The checks that have slugs, by the names that the coordinator has. */
export async function findBySlug(
  connection: Connection,
  pairs: readonly { pingKey: string; slug: string }[],
): Promise<SlugMatch[]> {
  const { rows } = await connection.query<{ place: number; project_id: number; uuids: string[] }>(
    FIND_BY_SLUG,
    [texts(pairs.map(pair => pair.pingKey)), texts(pairs.map(pair => pair.slug))],
  )
  const matches = pairs.map(() => ({ projectId: null as number | null, uuids: [] as string[] }))
  for (const { place, project_id, uuids } of rows) {
    matches[place - 1] = { projectId: project_id, uuids: uuids.slice(0, 2) }
  }
  return matches
}

const FIND_BY_SLUG = `
SELECT requested.place, p.id AS project_id, array(
    SELECT n.uuid FROM check_names n WHERE n.project_id = p.id AND n.slug = requested.slug LIMIT 2
  ) AS uuids
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS requested (ping_key, slug, place)
  JOIN projects p ON p.ping_key = requested.ping_key`

/** The array of IDs says to which shard the statement goes. */
const SAVE_STATES_OF_SHARD = SAVE_STATES.replace(
  'WHERE c.id = s.id',
  'WHERE c.id = s.id AND c.id = ANY($1::bigint[])',
)
