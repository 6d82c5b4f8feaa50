/** Maps a check between its two rows and the form that the rules use. The mapping functions are generated at start. */
import { type Kysely, type QueryCreator, sql } from 'kysely'
import { SENT_DESCRIPTION } from '../../../core/alerts/sent-description.js'
import type { Check, State, Status } from '../../../core/checks/check.js'
import { FIELD_LIST, type FieldsLike, HIDDEN_FIELDS } from '../../../core/checks/check-fields.js'
import { FAILING_RULES, failing } from '../../../core/checks/health/failing.js'
import { LANE_RULES } from '../../../core/checks/health/rules.js'
import { SHOWN, type ShownCheck } from '../../../core/wire/check.js'
import type { NativeCheck } from '../../../core/wire/native-check.js'
import type { Db } from '../../db.js'
import type { LoadedCheck } from '../../dialect.js'
import { objectMaker } from '../../object-maker.js'
import type { CheckDetailsRow, CheckStateRow, Tables } from '../../tables.js'
import { isBit, selectSettings } from './check-columns.js'

/** A check with its IDs in the tables. */
export type CheckWithIds = Check & { id: number; projectId: number }

interface Column {
  name: string
  table: 'c' | 'd'
  column: string
  isBit?: boolean
  isJson?: boolean
}

/** The columns that are not settings, by their names in a check. */
const IDS: Column[] = [
  { name: 'id', table: 'c', column: 'id' },
  { name: 'projectId', table: 'c', column: 'project_id' },
  { name: 'uuid', table: 'c', column: 'uuid' },
]
const STATE: Column[] = [
  { name: 'status', table: 'c', column: 'status' },
  { name: 'statusSince', table: 'c', column: 'status_since' },
  { name: 'nPings', table: 'c', column: 'n_pings' },
  { name: 'lastPing', table: 'c', column: 'last_ping' },
  { name: 'lastStart', table: 'c', column: 'last_start' },
  { name: 'lastStartRid', table: 'c', column: 'last_start_rid' },
  { name: 'lastDurationMs', table: 'c', column: 'last_duration' },
  { name: 'dueAt', table: 'c', column: 'due_at' },
  { name: 'alertAfter', table: 'c', column: 'alert_after' },
  { name: 'tracking', table: 'c', column: 'tracking', isJson: true },
]
/** What the ping path and the watcher also need. */
const MARKS: Column[] = [
  { name: 'wakeAt', table: 'c', column: 'wake_at' },
  { name: 'confirmationLink', table: 'c', column: 'confirmation_link', isBit: true },
]
/** What Punctual's own API does not show. */
const UNSHOWN = new Set([
  'projectId',
  'statusSince',
  'lastStartRid',
  ...HIDDEN_FIELDS.map(({ name }) => name),
])
const NAMES: Column[] = [
  { name: 'uniqueKey', table: 'd', column: 'unique_key' },
  { name: 'badgeKey', table: 'd', column: 'badge_key' },
  { name: 'createdAt', table: 'd', column: 'created_at' },
]
const SETTINGS: Column[] = FIELD_LIST.map(({ name, row, column }) => ({
  name,
  table: row === 'state' ? 'c' : 'd',
  column,
  isBit: isBit(name),
}))

const WHOLE = [...IDS, ...STATE, ...NAMES, ...SETTINGS]
const STATE_ROW = [...IDS, ...STATE, ...MARKS, ...SETTINGS.filter(({ table }) => table === 'c')]

const POLICY: Column = { name: 'policy', table: 'd', column: 'policy_id' }
const WITH_POLICY = [...WHOLE, POLICY]

/** Of Punctual's own API: what pings change, and what only people do. */
const NATIVE = WHOLE.filter(({ name }) => !UNSHOWN.has(name))
const NATIVE_STATE = NATIVE.filter(column => column.name === 'id' || STATE.includes(column))
const NATIVE_SETTINGS = [...NATIVE.filter(column => !NATIVE_STATE.includes(column)), POLICY]

const ON_WIRE = WHOLE.filter(({ name }) => name === 'id' || SHOWN.has(name))

type CheckColumn = `c.${keyof CheckStateRow}` | `d.${keyof CheckDetailsRow}`
const refs = (columns: readonly Column[]) =>
  columns.map(({ table, column }) => `${table}.${column}` as CheckColumn)

/**
 * The query for complete checks, to which callers add conditions on `c` (checks) and `d` (details). Where there may
 * be many, its rows are read as arrays: as objects, this many columns take three times as long.
 */
export function selectChecks(sql: QueryCreator<Tables>) {
  return selectColumns(sql, WHOLE)
}

/** As {@link selectChecks}, with only what the JSON of a check needs: each column more makes a long list slower. */
export function selectShownChecks(sql: Kysely<Tables>) {
  return selectColumns(sql, ON_WIRE)
}

/** As {@link selectChecks}, with the policy that the check names. */
export function selectChecksWithPolicy(sql: Kysely<Tables>) {
  return selectColumns(sql, WITH_POLICY)
}

/**
 * What Punctual's own API shows of checks, for `eachPacked`: their state, with their open incidents, and then their settings, which on SQLite are
 * one text: columns of their own cost a long list more than all else.
 */
export function selectNativeChecks(kysely: Kysely<Tables>, { name, isDistributed }: Db['dialect']) {
  const checks = selectColumns(kysely, NATIVE_STATE)
  const state = isDistributed
    ? checks
        .leftJoin('incidents as i', join =>
          join.onRef('i.check_id', '=', 'c.id').on('i.closed_at', 'is', null),
        )
        .select('i.id as incident')
    : checks.select(OPEN_INCIDENT)
  const settings = refs(NATIVE_SETTINGS)
  if (name === 'postgres') return state.select(settings)
  return state.select(sql<string>`json_array(${sql.join(settings.map(ref => sql.ref(ref)))})`.as('settings'))
}

/** Looked for only where there may be one: it takes two pages of an index for each check. */
const OPEN_INCIDENT = sql<number | null>`CASE WHEN c.status = 'down' THEN (
  SELECT i.id FROM incidents i WHERE i.check_id = c.id AND i.closed_at IS NULL
) END`.as('incident')

/** The columns of a row of {@link selectNativeChecks} that come before the settings. */
export const NATIVE_APART = NATIVE_STATE.length + 1

/** As {@link selectChecks}, with one character more of the description than messages contain. */
export function selectChecksToSend(kysely: Kysely<Tables>) {
  const place = WHOLE.findIndex(({ name }) => name === 'desc')
  return fromChecks(kysely)
    .select(refs(WHOLE.slice(0, place)))
    .select(sql<string>`substr(${sql.ref('d.desc')}, 1, ${sql.lit(SENT_DESCRIPTION + 1)})`.as('desc'))
    .select(refs(WHOLE.slice(place + 1)))
}

function selectColumns(sql: QueryCreator<Tables>, columns: readonly Column[]) {
  return fromChecks(sql).select(refs(columns))
}

function fromChecks(sql: QueryCreator<Tables>) {
  return sql.selectFrom('checks as c').innerJoin('check_details as d', 'd.check_id', 'c.id')
}

/** The check of a row of {@link selectChecks} that was read as an array. */
export const toCheck = fromArray<CheckWithIds>(WHOLE)

/** A check with its IDs and the policy that it names. */
export type CheckWithPolicy = CheckWithIds & { policy: number | null }

/** The check of a row of {@link selectChecksWithPolicy} that was read as an array. */
export const toCheckWithPolicy = fromArray<CheckWithPolicy>(WITH_POLICY)

/** A check as Punctual's own API shows it. */
export type ListedCheck = NativeCheck & {
  id: number
  policy: number | null
  incident: number | null
}

/** What only people change of it. */
export type ListedSettings = Omit<ListedCheck, 'id' | 'incident' | keyof State>

/** The settings in a row of {@link selectNativeChecks}. */
export const toListedSettings = fromArray<ListedSettings>(NATIVE_SETTINGS)

/** The check of the beginning of a row of {@link selectNativeChecks}, and its settings. */
export const toListedCheck = objectMaker<{ row: readonly unknown[]; settings: ListedSettings }, ListedCheck>([
  ...membersOf(NATIVE_STATE).map(member => ({ ...member, within: 'row' })),
  ...NATIVE_SETTINGS.map(({ name }) => ({ name, from: name, within: 'settings' })),
  { name: 'incident', from: NATIVE_STATE.length, within: 'row' },
])

/** The check of a row of {@link selectShownChecks} that was read as an array. */
export const toShownCheck = fromArray<ShownCheck & { id: number }>(ON_WIRE)

function fromArray<Made>(columns: readonly Column[]) {
  return objectMaker<readonly unknown[], Made>(membersOf(columns))
}

function membersOf(columns: readonly Column[]) {
  return columns.map(({ name, isBit, isJson }, place) => ({
    name,
    from: place,
    isBit: isBit === true,
    isJson: isJson === true,
  }))
}

/** The check of a row of {@link selectChecks} that was read as an object. */
export const toNamedCheck = objectMaker<object, CheckWithIds>(
  WHOLE.map(({ name, column, isBit, isJson }) => ({
    name,
    from: column,
    isBit: isBit === true,
    isJson: isJson === true,
  })),
)

/** What the timeline needs of the state of many checks: each column more makes it slower. */
const IN_LANES = [
  ...(['id', 'projectId', 'uuid', 'status', 'nPings', 'lastPing', 'lastStart', 'lastStartRid'] as const),
  ...(['dueAt', 'alertAfter', 'tracking'] as const),
  ...LANE_RULES,
] as const
const LANE_STATE = STATE_ROW.filter(({ name }) => IN_LANES.some(one => one === name))

/** A check of the timeline. */
export type LaneRow = Pick<LoadedCheck, (typeof IN_LANES)[number]>

/** The columns of `checks as c` for {@link toLaneRow}. */
export const LANE_COLUMNS = refs(LANE_STATE) as `c.${keyof CheckStateRow}`[]

/** The check of a row that begins with {@link LANE_COLUMNS}, read as an array. */
export const toLaneRow = fromArray<LaneRow>(LANE_STATE)

/** The check of a whole row of the table `checks`. */
export const toLoadedCheck = objectMaker<object, LoadedCheck>(
  STATE_ROW.map(({ name, column, isBit, isJson }) => ({
    name,
    from: column,
    isBit: isBit === true,
    isJson: isJson === true,
  })),
)

/** The input of {@link withState}. */
interface Parts {
  check: LoadedCheck
  state: State
  marks: Pick<LoadedCheck, 'wakeAt' | 'confirmationLink'>
}

/** A check with another state. This runs for each check of a batch, and a spread takes ten times as long. */
export const withState = objectMaker<Parts, LoadedCheck>(
  STATE_ROW.map(column => ({
    name: column.name,
    within: STATE.includes(column) ? 'state' : MARKS.includes(column) ? 'marks' : 'check',
    from: column.name,
  })),
)

const LIMITS = FIELD_LIST.filter(({ timing }) => timing === 'limit').map(({ name }) => name)

/** The columns that {@link isFailing} needs. */
export const FAILING_COLUMNS = ['c.tracking', ...selectSettings(FAILING_RULES)] as const

/** Whether failures of a check with these columns were counted that do not take it down yet. */
export function isFailing(
  row: Parameters<typeof failing>[1] & { tracking: string | null },
  status: Status,
): boolean {
  return row.tracking !== null && failing({ status, tracking: JSON.parse(row.tracking) }, row) !== null
}

/** The columns that `statusAt` needs, under the names that it uses. */
export const STATUS_COLUMNS = [
  'c.status',
  'c.last_start as lastStart',
  'c.due_at as dueAt',
  'c.alert_after as alertAfter',
  ...selectSettings(LIMITS as FieldsLike<{ timing: 'limit' }>[]),
] as const

/** What filters, order and counts of a list of checks need. */
export const LISTED_COLUMNS = [
  ...(['c.id', 'c.uuid', 'c.last_ping as lastPing', 'c.status_since as statusSince'] as const),
  ...(['c.last_duration as lastDurationMs', 'd.name', 'd.slug', 'd.tags'] as const),
  ...STATUS_COLUMNS,
  ...FAILING_COLUMNS,
] as const

/** An object of a row of {@link LISTED_COLUMNS} that was read as an array. */
export const toListed = objectMaker<readonly unknown[], object>(
  LISTED_COLUMNS.map((column, from) => ({ name: column.replace(/^.*[. ]/, ''), from })),
)
