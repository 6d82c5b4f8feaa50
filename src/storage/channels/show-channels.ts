import { channelShape } from '../../core/wire/channel.js'
import { toJson } from '../../core/wire/json.js'
import type { Db } from '../db.js'
import { JsonBytes } from '../json-bytes.js'
import { read } from '../method.js'

/** A project's channels as the JSON `{"channels": [...]}`, in the order of their creation. */
export const showList = read(async (db: Db, projectId: number): Promise<Uint8Array> => {
  const rows = await db.sql
    .selectFrom('channels')
    .select(['uuid', 'name', 'kind'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  const list = new JsonBytes('{"channels": [')
  for (const row of rows) list.add(toJson(channelShape(row)))
  return list.end(']}')
})
