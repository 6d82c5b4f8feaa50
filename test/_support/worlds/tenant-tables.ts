/** The tables whose rows belong to a project on PostgreSQL, as the database itself lists them. */
import assert from 'node:assert/strict'
import { appendTo } from '../../../src/lib/append-to.js'

type Query = (sql: string) => Promise<Record<string, unknown>[]>

/** The tables in which no row belongs to one project, or to its owner. */
const OF_ALL: Record<string, string> = {
  migrations: 'of the database',
  meta: 'of the instance',
  last_ids: 'of the instance, and only on SQLite',
  beats: 'of the processes',
  outages: 'of the instance',
  rate_limits: 'of addresses, people and receivers, by digests',
  api_requests: 'of tokens and keys, by digests, while a request is under way',
}

/** What the columns by which a row belongs to a project refer to: a query for the values. */
const REFERS: Record<string, (projectId: number) => string> = {
  project_id: id => `${id}`,
  user_id: id => `SELECT owner_id FROM projects WHERE id = ${id}`,
  ...withNames(['check_id', 'parent_id'], id => `SELECT id FROM checks WHERE project_id = ${id}`),
  ...withNames(
    ['channel_id', 'group_id', 'member_id'],
    id => `SELECT id FROM channels WHERE project_id = ${id}`,
  ),
  check_uuid: id => `SELECT uuid FROM checks WHERE project_id = ${id}`,
  incident_id: id => `SELECT id FROM incidents WHERE project_id = ${id}`,
  webhook_id: id => `SELECT id FROM event_webhooks WHERE project_id = ${id}`,
  mail_id: id => `SELECT id FROM mails WHERE user_id IN (SELECT owner_id FROM projects WHERE id = ${id})`,
  account: id => `SELECT 'user ' || owner_id FROM projects WHERE id = ${id}`,
}

/** Tables whose rows say nothing but who they are. */
const THEMSELVES: Record<string, (projectId: number) => string> = {
  projects: id => `id = ${id}`,
  users: id => `id IN (${REFERS.user_id!(id)})`,
}

interface Column {
  table: string
  name: string
  type: string
  /** Whether a row needs a value. */
  isNeeded: boolean
  /** A text that a constraint allows, if only some are. */
  allowed: string | null
}

/** A table and the condition for the rows of one project. */
export interface TenantTable {
  name: string
  condition: string
  /** Whether its rows are projects, or about checks, channels or incidents. */
  isMonitoring: boolean
}

/**
 * The tables with rows of this project. One that has none gets one, with values that mean nothing. Fails for a table of which nothing
 * says how its rows belong to a project, or that none does.
 */
export async function tenantTables(query: Query, projectId: number): Promise<TenantTable[]> {
  const columns = await columnsOf(query)
  const tables = byTable(columns)
  for (const name of Object.keys(OF_ALL)) assert.ok(tables.has(name), `there is no table ${name} any more`)
  const found: TenantTable[] = []
  for (const [name, own] of tables) {
    if (name in OF_ALL) continue
    const ways = own.flatMap(column =>
      column.name in REFERS ? [`${column.name} IN (${REFERS[column.name]!(projectId)})`] : [],
    )
    const condition = THEMSELVES[name]?.(projectId) ?? ways.join(' OR ')
    assert.notEqual(condition, '', `how do the rows of ${name} belong to a project, or why do they not?`)
    const [any] = await query(`SELECT 1 FROM ${name} WHERE ${condition} LIMIT 1`)
    if (!any) await insertSome(query, name, own, projectId)
    found.push({
      name,
      condition,
      isMonitoring: name === 'projects' || /(checks|channels|incidents)\b/.test(`${name} ${condition}`),
    })
  }
  return found
}

async function columnsOf(query: Query): Promise<Column[]> {
  const rows = await query(`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type,
           a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS needed,
           (SELECT substring(pg_get_constraintdef(k.oid) FROM '''([^'']*)''') FROM pg_constraint k
             WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] LIMIT 1) AS allowed
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
     ORDER BY c.oid, a.attnum`)
  return rows.map(row => ({
    table: String(row.table),
    name: String(row.name),
    type: String(row.type),
    isNeeded: row.needed === true,
    allowed: row.allowed === null ? null : String(row.allowed),
  }))
}

async function insertSome(query: Query, table: string, columns: Column[], projectId: number): Promise<void> {
  const given = columns.filter(({ name, isNeeded }) => isNeeded || name in REFERS)
  const values = given.map(({ name, type, allowed }) => {
    const refers = REFERS[name]?.(projectId)
    if (refers !== undefined) return refers.startsWith('SELECT') ? `(${refers} LIMIT 1)` : refers
    return type === 'text' ? `'${allowed ?? table}'` : type === 'bytea' ? "''" : '0'
  })
  const names = given.map(({ name }) => name)
  await query(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`)
}

function byTable(columns: Column[]): Map<string, Column[]> {
  const tables = new Map<string, Column[]>()
  for (const column of columns) appendTo(tables, column.table, column)
  return tables
}

function withNames<T>(names: string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map(name => [name, value]))
}
