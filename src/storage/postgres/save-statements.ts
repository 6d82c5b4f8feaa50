/** The statements of the ping path that save checks and insert log rows, and their parameters: one array for each column. */
import { trackingText } from '../checks/rows/states.js'
import type { ChangedStates, LoadedCheck, PingRow } from '../dialect.js'
import { bytes, numbers, texts } from './arrays.js'

/** A check to save, and the state that the change is based on. */
export interface SavedKnown {
  check: LoadedCheck
  before: LoadedCheck
  version: string
}

/** The IDs of the checks that were saved, and their common version. */
export interface SavedVersion {
  ids: ReadonlySet<number>
  version: string
}

/** Writing a column that keeps its value costs nothing: the row is rewritten anyway, its indexes are not. */
const SET_STATE = `
   SET status = s.status, status_since = s.status_since, n_pings = s.n_pings, last_ping = s.last_ping,
       last_start = s.last_start, last_start_rid = s.last_start_rid, last_duration = s.last_duration,
       due_at = s.due_at, alert_after = s.alert_after, confirmation_link = s.confirmation_link, tracking = s.tracking,
       wake_at = CASE s.wake_changed WHEN 1 THEN s.wake_at ELSE c.wake_at END`

const STATE_TYPES = `$1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
              $8::bigint[], $9::bigint[], $10::bigint[], $11::smallint[], $12::smallint[], $13::bigint[], $14::text[]`

const STATE_NAMES = `id, status, status_since, n_pings, last_ping, last_start, last_start_rid,
             last_duration, due_at, alert_after, confirmation_link, wake_changed, wake_at, tracking`

export const SAVE_STATES = `
UPDATE checks AS c ${SET_STATE}
  FROM unnest(${STATE_TYPES}) AS s (${STATE_NAMES})
 WHERE c.id = s.id
RETURNING c.id, c.xmin AS version`

export function stateColumns(checks: readonly LoadedCheck[], wakeChanged: ReadonlySet<number>): string[] {
  return [
    numbers(checks.map(check => check.id)),
    texts(checks.map(check => check.status)),
    numbers(checks.map(check => check.statusSince)),
    numbers(checks.map(check => check.nPings)),
    numbers(checks.map(check => check.lastPing)),
    numbers(checks.map(check => check.lastStart)),
    texts(checks.map(check => check.lastStartRid)),
    numbers(checks.map(check => check.lastDurationMs)),
    numbers(checks.map(check => check.dueAt)),
    numbers(checks.map(check => check.alertAfter)),
    numbers(checks.map(check => (check.confirmationLink ? 1 : 0))),
    numbers(checks.map(check => (wakeChanged.has(check.id) ? 1 : 0))),
    numbers(checks.map(check => check.wakeAt)),
    texts(checks.map(trackingText)),
  ]
}

const PING_NAMES = `check_id, n, created_at, created_us, kind, scheme, remote_addr, method, ua, rid,
                   exit_status, body, object_size, duration, cause`

const PING_TYPES = [
  ...['bigint', 'bigint', 'bigint', 'smallint', 'text', 'text', 'text', 'text', 'text', 'text', 'smallint'],
  ...['bytea', 'integer', 'bigint', 'text'],
]

/** The arrays of log rows, as parameters after the first `before`. */
function pingArrays(before: number): string {
  return PING_TYPES.map((type, place) => `$${before + place + 1}::${type}[]`).join(', ')
}

export const INSERT_PINGS = `INSERT INTO pings (${PING_NAMES}) SELECT * FROM unnest(${pingArrays(0)})`

/** Where checks and their log rows are saved. */
interface KnownTables {
  checks: string
  pings: string
  /** What else has to be true. */
  also?: string
  /** Whether the IDs of log rows are given, as the last parameter. */
  areNumbered?: boolean
}

/**
 * Saves the checks that are unchanged, with their log rows. A row that another transaction has changed in the meantime has
 * another `xmin`. Transaction IDs can repeat after a failover or a crash, so the state that the rules use is compared too.
 * Returns one row, which is cheaper than one per check.
 */
export function saveKnownIn({ checks, pings, also = 'true', areNumbered = false }: KnownTables): string {
  const names = areNumbered ? `${PING_NAMES}, id` : PING_NAMES
  const arrays = areNumbered ? `${pingArrays(21)}, $${21 + PING_TYPES.length + 1}::bigint[]` : pingArrays(21)
  return `
WITH saved AS (
  UPDATE ${checks} AS c ${SET_STATE}
    FROM unnest(${STATE_TYPES}, $15::xid[], $16::text[], $17::bigint[], $18::bigint[], $19::bigint[], $20::text[],
                $21::bigint[])
         AS s (${STATE_NAMES}, version, was_status, was_n_pings, was_last_ping, was_last_start, was_last_start_rid,
               was_wake_at)
   WHERE c.id = s.id AND c.xmin = s.version AND c.status = s.was_status AND c.n_pings = s.was_n_pings
     AND c.last_ping IS NOT DISTINCT FROM s.was_last_ping AND c.last_start IS NOT DISTINCT FROM s.was_last_start
     AND c.last_start_rid IS NOT DISTINCT FROM s.was_last_start_rid
     AND c.wake_at IS NOT DISTINCT FROM s.was_wake_at AND ${also}
  RETURNING c.id, c.xmin AS version
), logged AS (
  INSERT INTO ${pings} (${names})
  SELECT ${names} FROM unnest(${arrays}) WITH ORDINALITY AS p (${names}, place)
   WHERE p.check_id IN (SELECT id FROM saved)
   ORDER BY place
)
SELECT coalesce(string_agg(id::text, ','), '') AS ids, coalesce(min(version::text), '') AS version FROM saved`
}

export const SAVE_KNOWN = saveKnownIn({ checks: 'checks', pings: 'pings' })

/** What `saveKnownIn` answers. */
export interface KnownAnswer {
  ids: string
  version: string
}

/** The checks that were saved. */
export function readKnown({ ids, version }: KnownAnswer): SavedVersion {
  return { ids: new Set(ids === '' ? [] : ids.split(',').map(Number)), version }
}

/** The parameters of `saveKnownIn`, but for the IDs. */
export function knownColumns(
  requested: readonly SavedKnown[],
  changed: ChangedStates,
  rows: readonly PingRow[],
): string[] {
  return [
    ...stateColumns(
      requested.map(({ check }) => check),
      changed.wakeAt,
    ),
    texts(requested.map(({ version }) => version)),
    texts(requested.map(({ before }) => before.status)),
    numbers(requested.map(({ before }) => before.nPings)),
    numbers(requested.map(({ before }) => before.lastPing)),
    numbers(requested.map(({ before }) => before.lastStart)),
    texts(requested.map(({ before }) => before.lastStartRid)),
    numbers(requested.map(({ before }) => before.wakeAt)),
    ...pingColumns(rows),
  ]
}

export function pingColumns(rows: readonly PingRow[]): string[] {
  return [
    numbers(rows.map(row => row.check_id)),
    numbers(rows.map(row => row.n)),
    numbers(rows.map(row => row.created_at)),
    numbers(rows.map(row => row.created_us)),
    texts(rows.map(row => row.kind)),
    texts(rows.map(row => row.scheme)),
    texts(rows.map(row => row.remote_addr)),
    texts(rows.map(row => row.method)),
    texts(rows.map(row => row.ua)),
    texts(rows.map(row => row.rid)),
    numbers(rows.map(row => row.exit_status)),
    bytes(rows.map(row => row.body)),
    numbers(rows.map(row => row.object_size)),
    numbers(rows.map(row => row.duration)),
    texts(rows.map(row => row.cause)),
  ]
}
