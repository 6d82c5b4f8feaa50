import { Refusal } from '../../core/errors.js'
import type { KumaRow, KumaRows } from '../../core/import/drafts/read-uptime-kuma.js'
import { readSqlite } from './sqlite-source.js'

const TABLES = ['monitor', 'tag', 'monitor_tag', 'notification', 'monitor_notification'] as const

/** Reads `kuma.db`. Throws a `Refusal` if it is not a database of Uptime Kuma. */
export async function readKumaFile(file: string): Promise<KumaRows> {
  const reader = await readSqlite(file)
  try {
    const names = await reader.rows(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    const known = new Set(names.map(({ name }) => name))
    if (!known.has('monitor')) throw new Refusal('invalid', `${file} is not a database of Uptime Kuma`)
    const rows = {} as Record<(typeof TABLES)[number], KumaRow[]>
    for (const table of TABLES)
      rows[table] = known.has(table)
        ? ((await reader.rows(`SELECT * FROM ${table} ORDER BY id`)) as KumaRow[])
        : []
    return rows
  } finally {
    await reader.close()
  }
}
