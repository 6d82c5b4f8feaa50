import { z } from 'zod'
import { toJson } from '../../core/wire/json.js'
import { runShape } from '../../core/wire/run.js'
import { anyKey, oneCheck } from '../api/refusals.js'
import { parsedFor, refOf } from './check.js'
import type { NativeCall, NativeOperation } from './native-operation.js'
import { positive, readQuery } from './query.js'
import { runsAnswer } from './schemas.js'

const LISTED = 50
const MOST_LISTED = 200
const LAST_PING = 2 ** 31 - 1

export const listRuns: NativeOperation = {
  id: 'listRuns',
  summary: 'List the runs of a check',
  description: 'Newest first, as far back as the log of pings goes.',
  key: 'ro',
  query: [
    {
      name: 'limit',
      description: 'The most runs to list.',
      schema: z.int().min(1).max(MOST_LISTED).default(LISTED),
    },
    {
      name: 'cursor',
      description: 'Where to go on: `next_cursor` of an answer.',
      schema: z.string().optional(),
    },
  ],
  responses: { 200: { description: 'The runs.', schema: runsAnswer } },
  errors: { ...anyKey, ...oneCheck, 422: 'A parameter is wrong.' },
  async handle(call) {
    const { deps, access } = call
    const page = await parsedFor(call, () => pageOf(call))
    const { runs, next } = await deps.store.pings.listRuns(access.projectId, refOf(call), page)
    const nextCursor = next === null ? null : String(next)
    return { status: 200, body: toJson({ runs: runs.map(runShape), next_cursor: nextCursor }) }
  },
}

function pageOf({ query }: NativeCall): { before: number | null; limit: number } {
  const { limit, cursor } = readQuery(query, {
    limit: positive(MOST_LISTED),
    cursor: positive(LAST_PING, 'not the next_cursor of an answer'),
  })
  return { before: cursor ?? null, limit: limit ?? LISTED }
}
